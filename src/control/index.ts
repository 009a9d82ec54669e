import type { EndpointHandler } from '../adapters/msw.ts'
import { toHandlers } from '../adapters/service.ts'
import { Failure } from '../errors.ts'
import { answer } from '../http/answer.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { toBase } from '../http/path.ts'
import { toFamilies } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import { settle } from '../policies/settings.ts'
import type { Simulator } from '../simulator.ts'
import { UsageError } from '../usage-error.ts'
import type { Directory } from '../world/directory.ts'
import { addActor } from './add-actor.ts'
import { addFaults } from './add-faults.ts'
import { clearActors } from './clear-actors.ts'
import { clearFaults } from './clear-faults.ts'
import { clearJournal } from './clear-journal.ts'
import { explainRow } from './explain-row.ts'
import { exportHar } from './export-har.ts'
import { followJournal } from './follow-journal.ts'
import { admit, type Guard } from './guard.ts'
import { readHealth } from './health.ts'
import { listActors } from './list-actors.ts'
import { listFaults } from './list-faults.ts'
import { listJournal } from './list-journal.ts'
import { readWorld } from './read-world.ts'
import { removeActor } from './remove-actor.ts'
import { removeFault } from './remove-fault.ts'
import { replaceWorld } from './replace-world.ts'
import { resetWorld } from './reset.ts'
import { retrieveJournalEntry } from './retrieve-journal-entry.ts'
import { verifyRequests } from './verify-requests.ts'
import type { World } from './world.ts'

/** Every endpoint of the control API. */
export const controlEndpoints: readonly Endpoint<World>[] = [
  readHealth,
  readWorld,
  replaceWorld,
  resetWorld,
  listFaults,
  addFaults,
  clearFaults,
  removeFault,
  listActors,
  addActor,
  clearActors,
  removeActor,
  listJournal,
  clearJournal,
  retrieveJournalEntry,
  exportHar,
  followJournal,
  verifyRequests,
  explainRow,
]

/**
 * The control API as MSW handlers. The policies of the service do not reach it: its errors always have the
 * same form.
 */
export function controlHandlers(
  root: Simulator,
  { guard, generate, report }: ControlOptions,
): EndpointHandler<World, Sandbox<World>>[] {
  const settings = settle()
  const open = (simulator: Simulator): Sandbox<World> => ({
    settings,
    directory: nobody,
    world: { simulator, root, generate },
    throttle: () => 0,
    refusalOf,
    report,
  })
  const own = open(root)
  return toHandlers(toFamilies(controlEndpoints), toBase('*'), {
    choose(named) {
      if (named === undefined) return own
      const simulator = root.sandboxes.get(named)
      return simulator && open(simulator)
    },
    answer: (route, params, call, sandbox) =>
      answer(route, params, call, sandbox, () => {
        admit(call, guard)
        return {}
      }),
  })
}

/** A mistake of the caller: what was expected, what came, and in which field. */
function refusalOf(error: unknown): Failure | null {
  if (!(error instanceof UsageError)) return null
  const { message, field } = error
  return new Failure('validation_error', message, field === null ? {} : { attr: field })
}

export interface ControlOptions {
  readonly guard: Guard
  /** Fills what a world leaves to the factories. */
  readonly generate: World['generate']
  /** Told of exceptions inside. */
  readonly report: (error: unknown) => void
}

/** The control API knows no users or projects. */
const nobody: Directory = {
  key: () => undefined,
  user: () => undefined,
  project: () => undefined,
  organization: () => undefined,
  currentProject: () => undefined,
  hasDashboardItem: () => false,
}
