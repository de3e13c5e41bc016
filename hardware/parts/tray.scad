// Pi and its board, for the far right corner of the box. The USB and network sockets look out at the back, power,
// screens and sound at the right; both walls are open there, and the frame is sawn out as wide. The header of the Pi
// lies at the left.
include <measures.scad>

wall = 3;
gap = 1.5;
lift = 5;
high = 24;
// The Pi stands turned: its 85 go to the back.
wide = max(print_pi[1], pi_board_width) + 2 * gap;
deep = print_pi[0] + pi_board_height + 12;
pi_x = wide - print_pi[1] - gap;
pi_y = deep - print_pi[0] - gap;

module post(x, y, screw) translate([x, y, 0]) difference() {
    cylinder(d = 6.5, h = wall + lift);
    translate([0, 0, wall]) cylinder(d = screw, h = lift + 1);
}

module tray() {
    difference() {
        cube([wide + wall, deep + wall, high]);
        translate([-1, -1, wall]) cube([wide + 1, deep + 1, high]);
        // Network and USB; power, screens and sound.
        translate([pi_x + 1, deep - 1, wall + lift]) cube([print_pi[1] - 2, wall + 2, high]);
        translate([wide - 1, pi_y + 4, wall + lift]) cube([wall + 2, 60, high]);
        // Air, between the posts of the Pi.
        for (x = [12, 28, 44]) for (y = [15, 30, 45]) translate([pi_x + x, pi_y + y, -1]) cylinder(d = 7, h = wall + 2, $fn = 24);
        // Screws into the bottom.
        for (x = [8, 36]) for (y = [64, deep - 10]) translate([x, y, -1]) cylinder(d = 3.4, h = wall + 2, $fn = 24);
    }
    // The four holes of the Pi lie at the end with the card, 3.5 from its edges.
    for (x = [0, print_pi_holes[1]]) for (y = [0, print_pi_holes[0]])
        post(pi_x + 3.5 + x, pi_y + 3.5 + y, print_pi_screw);
    for (at = pi_board_posts) post(gap + at[0], 1 + at[1], 2.8);
}

tray();
