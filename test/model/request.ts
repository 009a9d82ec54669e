import type { Json } from './rows.ts'

/**
 * A value in a body: its JSON text, and what Python reads. The model needs no parser of its own, and its answer to
 * `1e16` does not depend on JavaScript.
 */
export interface Value {
  readonly json: string
  /** The name of the type in Python. */
  readonly type: 'NoneType' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'dict'
  /** What Python's `str` makes of it. */
  readonly text: string
  /** A number that Python reads although JSON has none, such as NaN, in it. */
  readonly constant?: string
  readonly value: Json
}

/** What a body says. */
export type Meaning =
  | { readonly kind: 'none' }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Value>> }
  /** Valid JSON, but no object. */
  | { readonly kind: 'other'; readonly type: Value['type'] }
  /** Not JSON. The message is Python's. */
  | { readonly kind: 'malformed'; readonly message: string }

export interface Body {
  readonly text: string
  readonly contentType: string
  readonly means: Meaning
  /** The first number in it that JSON does not have. */
  readonly constant?: string
}

/** A request as a client sends it. */
export interface ApiRequest {
  readonly method: string
  /** Scheme and host, and the URL of a sandbox if the client uses it. */
  readonly base: string
  /** From `/api` on, without the query. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** The sandbox whose URL the client uses. */
  readonly sandbox: string | null
  readonly authorization: string | null
  readonly accept: string | null
  readonly body: Body | null
}

/** What the model expects, and what the driver received. */
export interface ApiResponse {
  readonly status: number
  readonly allow: string | null
  readonly type: string | null
  readonly location: string | null
  readonly authenticate: string | null
  /** Parsed JSON, with its order. Undefined for an empty body. */
  readonly body: Json | undefined
}
