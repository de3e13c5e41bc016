// The stud at the corner beside a1: a dome, and a pin for a hole of 4.
include <measures.scad>

union() {
    intersection() {
        scale([1, 1, 0.75]) sphere(d = print_stud);
        translate([-print_stud, -print_stud, 0]) cube(2 * print_stud);
    }
    translate([0, 0, -6]) cylinder(d = 3.9, h = 7);
}
