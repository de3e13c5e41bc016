// Buttons beside the board: a box without back and bottom, screwed to the frame by its ears; the buttons snap into its
// top. Printed lying on its closed long side. `dots`: how many stand beside each button, from y = 0 on: seen
// from its ears that is the right end, so the left panel has them the other way round than the right one.
include <measures.scad>

dots = [1, 2];
count = len(dots);
wide = print_button_hole + 16;
long = count * print_button_pitch + 8;
ear = 12;

module ears() for (y = [0, long]) hull() {
    translate([0, y == 0 ? -ear : y, 0]) cube([3, ear, print_panel_depth]);
    translate([0, y == 0 ? 0 : y - 0.1, 0]) cube([3 + ear, 0.1, print_panel_depth]);
}

module panel() {
    difference() {
        union() {
            cube([wide, long, print_panel_depth]);
            ears();
        }
        translate([-1, 3, -1]) cube([wide - 2, long - 6, print_panel_depth - print_panel + 1]);
        for (n = [0 : count - 1])
            translate([wide / 2, 4 + print_button_pitch * (n + 0.5), 0]) cylinder(d = print_button_hole, h = print_panel_depth + 1);
        for (z = [10, 30]) for (y = [-ear / 2, long + ear / 2]) translate([-1, y, z]) rotate([0, 90, 0]) {
            cylinder(d = 3.4, h = 5, $fn = 24);
            translate([0, 0, 4]) cylinder(d = 7, h = ear + 2, $fn = 24);
        }
    }
    for (n = [0 : count - 1]) for (k = [0 : dots[n] - 1])
        translate([wide - 3.5, 4 + print_button_pitch * (n + 0.5) + 4 * (k - (dots[n] - 1) / 2), print_panel_depth - 0.5])
            cylinder(d1 = 2.4, d2 = 1.2, h = 1.7);
}

panel();
