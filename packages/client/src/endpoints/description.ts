/** An endpoint: its purpose, its parameters, and its errors. */
export interface EndpointDescription {
  /** The name of the endpoint, which is also that of the SDK's method. */
  readonly name: string
  /** The path below `/api/v1`; `{name}` stands for a parameter. */
  readonly path: string
  readonly summary: string
  /** Further explanations besides the summary; empty when there are none. Names in backquotes are code. */
  readonly description: string
  /** The scope that a token needs. */
  readonly scope: string
  readonly parameters: readonly ParameterDescription[]
  readonly errors: readonly { readonly status: number; readonly sentences: readonly string[] }[]
}

export interface ParameterDescription {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly description?: string
  /** JSON Schema 2020-12 of the parameter's text. */
  readonly schema: {
    readonly type?: string
    readonly enum?: readonly (string | number)[]
    readonly minimum?: number
    readonly maximum?: number
    readonly items?: { readonly type?: string } | false
    readonly default?: unknown
    readonly examples?: readonly unknown[]
  }
}

export interface ScopeDescription {
  readonly name: string
  readonly description: string
}

export interface StatusDescription {
  readonly status: number
  /** The class of the SDK's error. */
  readonly name: string
  /** Whether the SDK repeats the request by itself. */
  readonly mayRetry: boolean
  /** The code with which the command `meadow` exits. */
  readonly exitCode: number
  /** What the caller should do. Names in backquotes are code. */
  readonly advice: string
}
