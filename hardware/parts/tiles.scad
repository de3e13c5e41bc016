// All 32 black squares for laser or mill, in eight rows: DXF.
include <measures.scad>

side = board_square - 0.2;
for (row = [0 : 7]) for (column = [0 : 3]) translate([column * (side + 2), row * (side + 2)]) difference() {
    square(side);
    translate([side / 2, side / 2]) circle(d = board_hole);
}
