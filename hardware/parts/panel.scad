// Buttons beside the board: a box without a back, screwed to the frame; the buttons snap into its top. `dots`: how many
// stand beside each button, from the player's side away.
include <measures.scad>

dots = [1, 2];
count = len(dots);
wide = button_room();
long = count * print_button_pitch + 8;

function button_room() = print_button_hole + 16;

module panel() {
    difference() {
        cube([wide, long, print_panel_depth]);
        translate([-1, 3, -1]) cube([wide - 2, long - 6, print_panel_depth - print_panel + 1]);
        for (n = [0 : count - 1])
            translate([wide / 2, 4 + print_button_pitch * (n + 0.5), 0]) cylinder(d = print_button_hole, h = print_panel_depth + 1);
        // Two screws on either side, into the frame.
        for (z = [10, 28]) for (y = [-1, long - 4]) translate([6, y, z]) rotate([-90, 0, 0]) cylinder(d = 3.4, h = 5);
    }
    for (n = [0 : count - 1]) for (k = [0 : dots[n] - 1])
        translate([wide - 3.5, 4 + print_button_pitch * (n + 0.5) + 4 * (k - (dots[n] - 1) / 2), print_panel_depth - 0.5]) cylinder(d1 = 2.4, d2 = 1.2, h = 1.7);
}

panel();
