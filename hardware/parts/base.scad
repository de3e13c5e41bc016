// A base under an ordinary man: its foot is glued into the rim, the peg into the hole. `foot`: the widest foot it takes.
// `black`: three dents in the rim that a finger counts.
include <measures.scad>

foot = print_feet[0];
black = false;

module base() {
    wide = foot + print_glue + 2 * print_rim;
    difference() {
        union() {
            cylinder(d = wide, h = print_base);
            cylinder(d = wide, h = print_base + print_rim);
        }
        translate([0, 0, print_base]) cylinder(d = foot + print_glue, h = 2 * print_rim);
        translate([0, 0, -1]) cylinder(d = print_tenon + print_glue, h = print_base + 2);
        if (black) for (n = [0 : 2]) rotate(120 * n) translate([wide / 2, 0, -1]) cylinder(d = 3, h = print_base + print_rim + 2, $fn = 24);
    }
}

base();
