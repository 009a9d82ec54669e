import type { Simulator } from '../simulator.ts'

/** A call of the control API that was carried out. */
export interface ControlCall {
  /** The operation id, such as `addRows` */
  readonly operation: string
  /** The parameters of its path */
  readonly params: Readonly<Record<string, string>>
  /** Undefined where there was none, or no JSON */
  readonly body: unknown
  /** Whose state it was about: the server's own, or that of a sandbox */
  readonly simulator: Simulator
}

/** The body of a call as JSON. */
export function parseJsonBytes(body: Uint8Array | null | 'too_large'): unknown {
  if (!(body instanceof Uint8Array)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
