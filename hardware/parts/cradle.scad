// Half a cradle: glued under the floor. Pins go through it: up into the floor, down through the rank strip, which lies
// flat against it. As thick as the strip must lie below the floor. `right`: for the files e to h; otherwise a to d.
include <measures.scad>

right = false;
split = 4 * board_square;
from = right ? split : 12.2;
to = right ? strip_right : split;
half = 0.1;

module cradle() {
    difference() {
        union() {
            // Between the test pads and the reeds no solder stands out above the strip.
            translate([from + half, strip_lower, 0]) cube([to - from - 2 * half, 8, strip_below_floor]);
            for (post = strip_posts) if (post[0] > from && post[0] < to)
                translate([post[0] - 4, strip_lower, 0]) cube([8, post[1] - strip_lower + 4, strip_below_floor]);
        }
        for (post = strip_posts) translate([post[0], post[1], -1]) cylinder(d = print_post + print_glue / 2, h = strip_below_floor + 2);
    }
}

cradle();
