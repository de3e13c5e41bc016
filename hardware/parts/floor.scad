// The floor under the top, for laser or mill: DXF. Its holes take the pins of the cradles; none lies under a peg.
include <measures.scad>

side = 8 * board_square + 2 * board_border;
difference() {
    square(side);
    for (rank = [0 : 7]) for (post = strip_posts)
        translate([board_border + post[0], board_border + rank * board_square + post[1]]) circle(d = print_floor_hole);
    // Over that of the stud in the top: the two lie right when a rod goes through both.
    translate([board_border / 2, board_border / 2]) circle(d = 4);
}
