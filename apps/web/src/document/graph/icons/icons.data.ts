/*
 * The icon of each kind, by its tab and name: a glyph, and a sign in its corner. `"sin` is a text in place of a glyph,
 * `'X` one in place of a sign. A name with a nickname in brackets is for the kind of that nickname only.
 */
export const ICONS: Readonly<Record<string, string>> = {
  Params: `Atom: atom
Box: box
Brep: brep
Circle: circle
Circular Arc: arc
Curve: curve
Field: field
Geometry: geometry
Geometry Cache: geometry box
Geometry Pipeline: geometry right
Group: group
Line: line
Location: location
Mesh: mesh
Mesh Face: face 'F
Mesh Point: mesh point
Mesher Settings: mesher
Plane: plane
Point: point
Rectangle: rect
SubD: subd
Surface: surface
Transform: transform
Twisted Box: twist
Vector: vector
Boolean: bool
Colour: colour
Complex: number 'i
Constant: number 'c
Culture: culture
Data: data
Data Path: path
Domain: domain
Domain²: domain2
File Path: file
Guid: id
Integer: "12
Marshalling signal parameter: data wave
Matrix: matrix
Number: number
Receiver: relay left
Shader: shader
Symbol Display: flag
Text: text
Time: clock
Variant: data ask
Boolean Toggle: bool dot
Button: button
Calendar: clock 'D
Clock: clock 'h
Colour Picker: picker
Colour Swatch: swatch
Colour Wheel: wheel
Control Knob: knob
Digit Scroller: digits
Gradient: gradient
Graph Mapper: graph
Image Resource: image lines
Image Sampler: image
Import 3DM: file '3dm
MD Slider: mdSlider
Number Slider: slider
Panel: panel
Read File: file lines
Value List: valueList
Assert True: bool check
Cluster: cluster
Cluster Input: input plus
Cluster Output: output plus
Context Bake: output 'G
Context Print: output 'T
Data Dam: relay none
Data Recorder: recorder
Galapagos: genes star
Gene Pool: genes
Get Boolean: input 'B
Get Geometry: input 'G
Get Integer: input '1
Get Line: input line
Get Number: input '#
Get Point: input point
Get String: input 'T
Param Viewer: eye
Relay: relay
Scribble: scribble
Sketch: sketch
Trigger: clock right
Script Parameter: script dot
Script Variable: script 'x`,
  Maths: `Bounds: bounds
Bounds 2D: domain2 dots
Consecutive Domains: domain dots
Construct Domain: constructDomain
Construct Domain² (Dom²Num): domain2 '4
Construct Domain²: domain2 plus
Deconstruct Domain: domain explode
Deconstruct Domain² (DeDom2Num): domain2 'uv
Deconstruct Domain²: domain2 explode
Divide Domain: domain ticks
Divide Domain²: domain2 ticks
Find Domain: domain find
Includes: domain dot
Remap Numbers: remap
Absolute: "|x|
Addition: addition
Division: division
Equality: equality
Factorial: "n!
Gate And: gate '&
Gate Majority: gate '2/3
Gate Nand: gate '!&
Gate Nor: gate 'nor
Gate Not: gate '!
Gate Or: gate 'or
Gate Xnor: gate '=
Gate Xor: gate '≠
Integer Division: division 'n
Larger Than: larger
Mass Addition: massAddition
Mass Multiplication: "Π
Modulus: "%
Multiplication: multiplication
Negative: negative
Power: "xⁿ
Relative Differences: "Δ
Similarity: "≈
Smaller Than: smaller
Subtraction: subtraction
Cube: "x³
Cube Root: "³√x
Log N: "logn
Logarithm: "log
Natural logarithm: "ln
Natural logarithm (E): "e
One Over X: "1/x
Power of 10: "10ⁿ
Power of 2: "2ⁿ
Power of E: "eⁿ
Square: "x²
Square Root: "√x
Evaluate: expression ask
Expression: expression
ArcCosine: "acos
ArcSine: "asin
ArcTangent: "atan
CoSecant: "csc
CoTangent: "cot
Cosine: "cos
Degrees: angle '°
Radians: angle 'π
Secant: "sec
Sinc: "sinc
Sine: "sin
Tangent: "tan
Average: average
Blur Numbers: number wave
Clamp: domain corner
Epsilon: "ε
Extremes: graph swap
Golden Ratio: "φ
Interpolate data: graph dot
Maximum: graph high
Minimum: graph low
Pi: "π
Round: number ring
Truncate: number cut
Weighted Average: average 'w`,
  Sets: `Combine Data: merge '1
Cross Reference: list cross
Dispatch: dispatch
Insert Items: list down
Item Index: list index
List Item: listItem
List Length: listLength
Longest List: list extend
Null Item: list none
Partition List: list box
Pick'n'Choose: list find
Replace Items: list swap
Replace Nulls: list '0
Reverse List: list up
Shift List: list right
Shortest List: list cut
Sift Pattern: dispatch funnel
Sort List: sortList
Split List: list split
Sub List: list 'ab
Weave: list weave
Char Sequence: "ABC
Cull Index: cullPattern index
Cull Nth: cullPattern 'n
Cull Pattern: cullPattern
Duplicate Data: list plus
Fibonacci: series 'F
Random: random
Range: range
Repeat Data: list loop
Series: series
Stack Data: list 'n
Create Set: set plus
Delete Consecutive: set minus
Disjoint: set none
Find similar member: set equal
Key/Value Search: set find
Member Index: set index
Replace Members: set swap
Set Difference: set difference
Set Difference (S): set 'Δ
Set Intersection: set shared
Set Majority: set '2/3
Set Union: set union
SubSet: set check
Characters: text explode
Concatenate: text plus
Format: text '{}
Match Text: text check
Replace Text: text swap
Sort Text: text sort
Text Case: "Aa
Text Distance: text ruler
Text Fragment: text find
Text Join: text join
Text Length: text count
Text Split: text split
Text Trim: text cut
Clean Tree: tree star
Construct Path: path plus
Deconstruct Path: path explode
Entwine: entwine
Explode Tree: tree explode
Flatten Tree: flatten
Flip Matrix: flipMatrix
Graft Tree: graft
Match Tree: tree equal
Merge: merge
Path Compare: path check
Path Mapper: path right
Prune Tree: tree cut
Relative Item: tree right
Relative Items: tree swap
Replace Paths: path swap
Shift Paths: path left
Simplify Tree: tree minus
Split Tree: tree split
Stream Filter: streamFilter
Stream Gate: dispatch 'n
Tree Branch: tree index
Tree Item: tree dot
Tree Statistics: tree count
Trim Tree: tree up
Unflatten Tree: tree fork`,
  Vector: `Blend Colours: colour join
Hexagonal: hexGrid
Radial: radGrid
Rectangular: squareGrid box
Square: squareGrid
Triangular: triGrid
Populate 3D: box dice
Populate Geometry: geometry dice
Align Plane: plane angle
Construct Plane: plane axes
Deconstruct Plane: plane explode
Flip Plane: plane swap
Line + Pt: plane line
Plane 3Pt: plane '3
Plane Closest Point: plane target
Plane Coordinates: plane 'xy
Plane Fit: plane dots
Plane Normal: plane normal
Plane Offset: plane up
Plane Origin: plane point
Rotate Plane: plane rotate
XY Plane: xyPlane
XZ Plane: xzPlane
YZ Plane: yzPlane
Barycentric: points '1/3
Closest Point: closestPoint
Closest Points: closestPoint dots
Construct Point: constructPoint
Cull Duplicates: points minus
Deconstruct: deconstructPoint
Distance: distance
Numbers to Points: points '#
Point Cylindrical: point volume
Point Oriented: point plane
Point Polar: point angle
Points to Numbers: points explode
Pull Point: point left
Sort Along Curve: points curve
Sort Points: points sort
Addition: vector plus
Amplitude: amplitude
Angle: angle
Cross Product: vector times
Deconstruct Vector: vector explode
Divide: vector over
Dot Product: vector dot
Multiply: vector '×n
Reverse: vector swap
Rotate: vector rotate
Unit Vector: vector '1
Unit X: unitX
Unit Y: unitY
Unit Z: unitZ
Vector 2Pt: vector2Pt
Vector Length: vector ruler
Vector XYZ: vector 'xyz`,
  Curve: `Closed: curve ask
Control Points: controlPoints
Control Polygon: controlPoints line
Curve Closest Point: curve target
Curve Domain: curve 'ab
Curve Frame: curve axes
Curve Middle: curveMiddle
Curve Proximity: curve swap
Deconstruct Arc: arc explode
Discontinuity: curve corner
End Points: endPoints
Evaluate Curve: evaluateCurve
Evaluate Length: evaluateCurve ruler
Horizontal Frame: curve 'H
Length: curve ruler
Length Domain: curve 'L
Length Parameter: curve 't
Perp Frame: curve normal
Point In Curve: region point
Point On Curve: curve point
Polygon Center: polygon dot
Curve Frames: divideCurve axes
Divide Curve: divideCurve
Divide Distance: divideCurve circle
Divide Length: divideCurve ruler
Horizontal Frames: divideCurve 'H
Perp Frames: divideCurve normal
Shatter: curve cut
Arc: arc
Arc 3Pt: arc '3
Arc SED: arc right
Circle: circle
Circle CNR: circle normal
Ellipse: ellipse
Line: line
Line SDL: lineSdl
Polygon: polygon
Rectangle: rect
Rectangle 2Pt: rect '2
Rectangle 3Pt: rect '3
Interpolate: interpolate
Kinky Curve: interpolate corner
Nurbs Curve: nurbs
PolyLine: polyline
Sub Curve: curve shared
Curve To Polyline: curve right
Explode: explode
Extend Curve: curve extend
Fillet: polyline fillet
Fillet (Fillet): polyline fillet
Fit Curve: spline check
Flip Curve: curve left
Join Curves: joinCurves
Offset Curve: offset
Offset Curve Loose: offset wave
Polyline Collapse: polyline join
Reduce: polyline minus
Seam: circle point
Simplify Curve: curve star
Smooth Polyline: polyline wave`,
  Surface: `Area: area
Area Moments: area axes
Box Corners: box dots
Box Properties: box ask
Brep Closest Point: brep target
Brep Edges: brep line
Deconstruct Box: box explode
Deconstruct Brep: deconstructBrep
Dimensions: surface ruler
Evaluate Surface: surface dot
Point In Brep: brep point
Point In Breps: brep dots
Shape In Brep: brep check
Surface Closest Point: surface target
Volume: volume
Volume Moments: volume axes
4Point Surface: surface '4
Boundary Surfaces: boundary
Extrude: extrude
Extrude Point: cone up
Loft: loft
Pipe: pipe
Pipe Variable: pipe swap
Revolution: surface rotate
Ruled Surface: surface lines
Surface From Points: surface dots
Sweep1: surface curve
Bounding Box: boundingBox
Box 2Pt: box '2
Box Rectangle: box corner
Center Box: box point
Cone: cone
Cylinder: cylinder
Domain Box: box '[]
Plane Surface: surface plane
Sphere: sphere
Brep Join: brep join
Cap Holes: cylinder circle
Divide Surface: surface ticks
Flip: surface swap
Isotrim: surface shared
Surface Frames: surface axes`,
  Mesh: `Deconstruct Face: face explode
Deconstruct Mesh: mesh explode
Face Boundaries: face circle
Face Normals: face normal
Mesh Closest Point: mesh target
Mesh Edges: mesh line
Mesh Eval: mesh dot
Mesh Inclusion: mesh check
Construct Mesh: mesh plus
Mesh Box: mesh box
Mesh Colours: mesh drop
Mesh Plane: mesh plane
Mesh Quad: face '4
Mesh Sphere: mesh circle
Mesh Triangle: face '3
Delaunay Mesh: triGrid dots
Voronoi: voronoi
Voronoi 3D: voronoi volume
Disjoint Mesh: mesh split
Flip Mesh: mesh swap
Mesh Brep: brep mesh
Mesh Join: meshJoin
Mesh Split Plane: mesh cut
Mesh Surface: surface mesh
Settings (Custom): mesher plus
Settings (Quality): mesher high
Settings (Speed): mesher low
Simple Mesh: mesh minus
Triangulate: mesh '3
Unweld Mesh: mesh over
Weld Mesh: mesh join`,
  Intersect: `Brep | Line: brep cross
Brep | Plane: brep plane
Contour: contour
Contour (ex): contour '#
Curve | Line: curve line
Curve | Plane: curve plane
Line | Line: line cross
Line | Plane: line plane
Mesh | Plane: mesh area
Mesh | Ray: mesh right
Plane | Plane: plane cross
Plane | Plane | Plane: plane star
Clash: mesh star
Curve | Curve: curve cross
Mesh | Curve: mesh curve
Trim with Region: region cut
Trim with Regions: region dots
Mesh Difference: mesh difference
Mesh Intersection: mesh shared
Mesh Split: mesh times
Mesh Union: mesh union
Region Difference: region difference
Region Intersection: region shared
Region Union: region union
Solid Difference: solidDifference
Solid Intersection: solidIntersection
Solid Union: solidUnion
Trim Solid: solidDifference cut`,
  Transform: `Project: project
Project Along: project angle
Rectangle Mapping: rect right
Scale: scale
Scale NU: scale 'xyz
Linear Array: arrayLinear
Polar Array: arrayPolar
Mirror: mirror
Move: move
Orient: orient
Rotate: rotate
Rotate 3D: rotate '3D
Rotate Axis: rotate line
Compound: transform plus
Group: group
Inverse Transform: transform swap
Merge Group: group join
Transform: transform
Ungroup: group explode`,
  Display: `Colour HSL: colour 'HL
Colour HSV: colour 'HV
Colour RGB: colour 'rgb
Colour RGB (f): colour '0–1
Colour RGB (f) (fRGB): colour '0–1
Split AHSL: colour explode
Split AHSV: swatch explode
Split ARGB: wheel explode
Aligned Dimension: dimension line
Angular Dimension: angle 'α
Angular Dimensions (Mesh): angle mesh
Arc Dimension: arc angle
Circular Dimension: circle angle
Gradient Hatch: hatch 'g
Line Dimension: line ruler
Linear Dimension: dimension
Marker Dimension: flag
Pattern Hatch: hatch
Serial Dimension: dimension dots
Text Tag: tag
Text Tag 3D: tag volume
Legend: gradient lines
Quick Graph: graph
Cloud Display: cloud
Create Material: shader plus
Custom Preview: preview
Dot Display: dots
Point List: points lines
Point List (Points): points lines
Point Order: points right
Vector Display: vector 'V
Vector Display Ex: vector drop`,
  Kangaroo2: `removeDuplicateLines: line minus
removeDuplicatePts: points times`,
}
