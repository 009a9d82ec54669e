import type { Door } from '../adapters/door.ts'
import type { OpenApiDocument } from '../adapters/openapi.ts'
import { toDoors } from '../adapters/service.ts'
import { answer } from '../http/answer.ts'
import { toBase } from '../http/base.ts'
import { nobody } from '../http/nobody.ts'
import { toFamilies } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { settle } from '../policies/settings.ts'
import type { Simulator } from '../simulator.ts'
import { apiDocument } from './document.ts'
import { readDocument, type World } from './read-document.ts'

/** The document of the API where a server has it, for its own world and for each sandbox. */
export function documentDoors(
  root: Simulator,
  report: (error: unknown) => void,
): Door<World, Sandbox<World>>[] {
  const known = new WeakMap<PolicySettings, Promise<OpenApiDocument>>()
  const documentOf = (settings: PolicySettings): Promise<OpenApiDocument> => {
    const document = known.get(settings) ?? apiDocument(settings)
    known.set(settings, document)
    return document
  }
  const open = ({ policies }: Simulator): Sandbox<World> => ({
    settings: settle(),
    directory: nobody,
    world: { document: () => documentOf(policies.settings) },
    throttle: () => 0,
    report,
  })
  return toDoors(toFamilies([readDocument]), toBase('*'), {
    choose(named) {
      const simulator = named === undefined ? root : root.sandboxes.get(named)
      return simulator && open(simulator)
    },
    answer: (route, params, call, sandbox) => answer(route, params, call, sandbox, () => ({})),
  })
}
