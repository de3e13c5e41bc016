// A black square: its upper edges are broken, so that a finger feels a step and not a splinter.
include <measures.scad>

difference() {
    union() {
        side = board_square - 0.2;
        translate([-side / 2, -side / 2, 0]) cube([side, side, board_raised - 0.4]);
        hull() {
            translate([-side / 2, -side / 2, board_raised - 0.5]) cube([side, side, 0.1]);
            translate([-side / 2 + 0.4, -side / 2 + 0.4, board_raised - 0.1]) cube([side - 0.8, side - 0.8, 0.1]);
        }
    }
    translate([0, 0, -1]) cylinder(d = board_hole, h = board_raised + 2);
}
