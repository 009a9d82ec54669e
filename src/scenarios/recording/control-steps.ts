import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import type { DeletedRows, NewRows, UpdatedRows } from '../../world/edit/add-rows.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'

/** A successful request to the control API. */
export interface ControlCall {
  /** The operation id, such as `addRows` */
  readonly operation: string
  /** The path parameters */
  readonly params: Readonly<Record<string, string>>
  /** The JSON body. Undefined without a body */
  readonly body: unknown
  /** The simulator it applied to: that of the server, or that of a sandbox */
  readonly simulator: SimulatorBase
}

/** Parses the body of a request to the control API. Returns undefined if it is not JSON. */
export function parseJsonBytes(body: Uint8Array | null | 'too_large'): unknown {
  if (!(body instanceof Uint8Array)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** A request to the control API, and what a step needs to know about the world. */
export interface ControlCallContext extends Pick<ControlCall, 'operation' | 'params' | 'body'> {
  /** The world after the request */
  readonly world: () => WorldJson
  /** The label of a key before the request */
  readonly label: (value: string) => string | null | undefined
  /** The values of the keys that the request added */
  readonly newKeys: readonly string[]
  /** Whether an earlier step saves a snapshot of this name */
  readonly isSaved: (snapshot: string) => boolean
}

/** A step, or a phrase for what no step can contain. */
type ControlStep = ChangeStep | { readonly omitted: string }
type Translation = (call: ControlCallContext) => ControlStep

/** Makes a step of a request to the control API. Returns null if it changes nothing that responses depend on. */
export function toControlStep(call: ControlCallContext): ControlStep | null {
  return translations[call.operation]?.(call) ?? null
}

/** The step has the same form as the body. */
const fromBody =
  (kind: string): Translation =>
  ({ body }) =>
    ({ [kind]: escapeLiterals(body) }) as unknown as ChangeStep

const fromId: Translation = ({ params: { id = '' } }) => ({ remove: id })

/** By operation id. Clock operations are missing: each request carries its time. */
const translations: Readonly<Record<string, Translation>> = {
  addRows: ({ body, newKeys }) => {
    const { keys = [], ...rows } = body as NewRows
    const allRows = keys.length > 0 ? { ...rows, keys: withValues(keys, newKeys) } : rows
    return { rows: escapeLiterals(allRows) as NewRows }
  },
  replaceWorld: ({ world }) => ({ world: world() }),
  updateRow: ({ params: { list = '', id = '' }, body }) => ({
    update: escapeLiterals({
      [list]: [{ id: parseRowId(list, id), ...(body as object) }],
    }) as UpdatedRows,
  }),
  deleteRow: ({ params: { list = '', id = '' } }) => ({
    delete: { [list]: [parseRowId(list, id)] } as DeletedRows,
  }),
  addGenerated: ({ world }) => ({ world: world() }),
  resetWorld: () => ({ reset: true }),
  createSnapshot: ({ body }) => ({ snapshot: (body as { name: string }).name }),
  restoreSnapshot: ({ params: { name = '' }, isSaved, world }) =>
    isSaved(name) ? { restore: name } : { world: world() },
  importSnapshot: ({ params: { name } }) => ({ omitted: `the import of the snapshot ${name}` }),
  issueKey: ({ body, newKeys }) => ({ rows: { keys: withValues([body ?? {}], newKeys) } }),
  revokeKey: ({ params: { value = '' }, label }) => ({ revoke: label(value) ?? value }),
  setPolicies: fromBody('policies'),
  addFaults: fromBody('fault'),
  clearFaults: () => ({ clear: 'faults' }),
  removeFault: fromId,
  addActor: fromBody('actor'),
  clearActors: () => ({ clear: 'actors' }),
  removeActor: fromId,
  createSandbox: () => ({ omitted: 'a sandbox and the requests to it' }),
}

function parseRowId(list: string, text: string): number | string {
  return list === 'organizations' ? text : Number(text)
}

/** Adds the values of new keys, as later requests in the bundle use them. */
function withValues(keys: readonly KeyRequest[], values: readonly string[]): KeyRequest[] {
  return keys.map((key, index) => ({ ...key, value: values[index] as string }))
}
