// Pushed onto a post of the cradle, under the strip; a drop of glue keeps it.
include <measures.scad>

difference() {
    cylinder(d = 7, h = 3);
    translate([0, 0, -1]) cylinder(d = print_post + print_push, h = 5);
}
