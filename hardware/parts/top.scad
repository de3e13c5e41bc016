// The top as a drawing for laser or mill: DXF. Outside measure, and 64 holes.
include <measures.scad>

side = 8 * board_square + 2 * board_border;
difference() {
    square(side);
    for (file = [0 : 7]) for (rank = [0 : 7])
        translate([board_border + board_square * (file + 0.5), board_border + board_square * (rank + 0.5)]) circle(d = board_hole);
    // The stud beside a1.
    translate([board_border / 2, board_border / 2]) circle(d = 4);
}
