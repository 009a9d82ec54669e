import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { presets } from '../faults/presets.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { failures } from '../http/failure.ts'
import { annotationScopes } from '../world/known.ts'
import type { World } from './world.ts'

/** The words that rules, filters and rows take. */
export interface Words {
  readonly operations: readonly {
    readonly id: string
    readonly summary: string
    readonly method: string
    readonly path: string
  }[]
  /** The names of the service's errors */
  readonly errors: readonly string[]
  readonly presets: readonly { readonly name: string; readonly description: string }[]
  readonly annotation_scopes: readonly string[]
}

const text = z.string()
const words: z.ZodType<Words> = z.object({
  operations: z.array(z.object({ id: text, summary: text, method: text, path: text })),
  errors: z.array(text),
  presets: z.array(z.object({ name: text, description: text })),
  annotation_scopes: z.array(text),
})

export const listWords: Endpoint<World> = endpoint({
  id: 'listWords',
  summary: 'List the words that rules and rows take: operations, errors, presets, scopes.',

  method: 'GET',
  path: '/__admin/words',
  scope: 'operator',

  params: {},
  status: 200,
  response: words,
  errors: [],

  handle: () => ({
    operations: endpoints.map(({ id, summary, method, path }) => ({ id, summary, method, path })),
    errors: Object.keys(failures),
    presets: Object.entries(presets).map(([name, { description }]) => ({ name, description })),
    annotation_scopes: annotationScopes,
  }),
})
