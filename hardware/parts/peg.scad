// A peg, printed standing: the rings of its wall lie round the magnet, and the pocket is wider than the magnet, which is
// glued and not pressed. So nothing drives the wall apart. The tenon goes into a base or into a man's own foot.
include <measures.scad>

tenon = print_base - 0.2;
total = board_peg_length + tenon;

module peg() {
    difference() {
        union() {
            // The end with the magnet is below, a little rounded for the hole.
            cylinder(d1 = board_peg - 0.4, d2 = board_peg, h = 0.2);
            translate([0, 0, 0.2]) cylinder(d = board_peg, h = board_peg_length - 0.2);
            cylinder(d = print_tenon, h = total);
        }
        translate([0, 0, -1]) cylinder(d = magnet_diameter + print_glue, h = 1 + magnet_length + print_glue / 2);
    }
}

peg();
