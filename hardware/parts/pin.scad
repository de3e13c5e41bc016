// A pin of the cradle: through floor, cradle and strip, and long enough for a cap. Or a piece of rod as thick and long.
include <measures.scad>

cylinder(d = print_post, h = board_floor - 0.1 + strip_below_floor + print_strip_thickness + 3.5);
