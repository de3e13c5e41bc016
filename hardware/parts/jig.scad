// Drilling without measuring: the pin stands in the hole that is there, the drill goes through the sleeve.
include <measures.scad>

difference() {
    union() {
        translate([-10, -10, 0]) cube([board_square + 20, 20, 12]);
        translate([0, 0, -10]) cylinder(d = board_hole - 0.1, h = 12);
    }
    translate([board_square, 0, -1]) cylinder(d = board_hole + 0.1, h = 14);
}
