/** The syntax tree, the only interface between parser and evaluator. */
export type Syntax =
  | { kind: 'number'; value: number; isWhole: boolean }
  | { kind: 'text'; value: string }
  | { kind: 'name'; name: string }
  | { kind: 'unary'; operator: string; operand: Syntax }
  | { kind: 'binary'; operator: string; left: Syntax; right: Syntax }
  | { kind: 'member'; owner: Syntax; member: string }
  | { kind: 'call'; name: string; operands: readonly Syntax[] }
  /** `{1, 2, 3}` */
  | { kind: 'point'; coordinates: readonly Syntax[] }
