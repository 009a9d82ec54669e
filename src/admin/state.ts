import type { SettingOverrides } from '../settings/resolve.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import type { SandboxInfo, SandboxRequest } from '../simulator/sandboxes/sandboxes.ts'
import { parseOptions, unexpectedValue } from '../utils/errors.ts'
import { option, optionsSchema } from '../utils/options.ts'
import type { ClockModeAndTime, Duration } from '../world/clock/clock.ts'
import type { KeyRequest } from '../world/keys.ts'
import type { KeyRow } from '../world/rows.ts'
import { found, operation, unchecked } from './operation.ts'

/** A mode, a time, or both; or how far to advance. */
export interface ClockChange extends Partial<ClockModeAndTime> {
  readonly advance?: Duration
}

const clockChangeSchema = optionsSchema<ClockChange>({
  mode: option.any,
  now: option.any,
  advance: option.any,
})

/** Clock, keys, settings and faults. */
export const stateOperations = {
  'GET /clock': operation('Read the time and the mode of the clock.', ({ simulator }) =>
    simulator.clock.read(),
  ),

  'PUT /clock': operation(
    'Set the mode (real, frozen or ticking), the time as now, or both; a time alone freezes the clock. Or advance it, by the sum of the given units.',
    unchecked<ClockChange>(),
    ({ simulator: { clock }, body }) => {
      parseOptions(clockChangeSchema, body, 'set the clock')
      const { advance, ...setting } = body
      const isSet = Object.keys(setting).length > 0
      if (isSet === (advance !== undefined)) {
        throw unexpectedValue('set the clock', 'a mode, a time, or both, or advance', body)
      }
      if (advance !== undefined) clock.advance(advance)
      else clock.set({ mode: 'frozen', ...setting })
      return clock.read()
    },
  ),

  'GET /keys': operation('List the API keys with their values and scopes.', ({ simulator }) =>
    simulator.keys.list(),
  ),

  'POST /keys': operation(
    'Issue an API key. Missing fields get defaults: full access, and a random value.',
    unchecked<KeyRequest>(),
    ({ simulator: { keys }, body }) => {
      const value = keys.issue(body)
      return keys.list().find((key) => key.value === value) as KeyRow
    },
  ),

  'DELETE /keys/:value': operation('Revoke an API key.', ({ simulator }, value: string) => {
    found(simulator.keys.revoke(value), 'value', 'Key')
  }),

  'GET /settings': operation(
    'List the settings: question, value, and the possible values with their evidence.',
    ({ simulator }) => simulator.settings.list(),
  ),

  'PATCH /settings': operation(
    'Set settings by id, all or none. Returns the values of all settings.',
    unchecked<SettingOverrides>(),
    ({ simulator: { settings }, body }) => {
      settings.set(body)
      return settings.values
    },
  ),

  'GET /faults': operation(
    'List the fault rules in evaluation order, with their counters.',
    ({ simulator }) => simulator.faults.list(),
  ),

  'POST /faults': operation(
    'Add a fault rule, or the rules of a preset. New rules take precedence.',
    unchecked<FaultRequest>(),
    ({ simulator, body }) => simulator.faults.add(body),
  ),

  'DELETE /faults': operation('Remove all fault rules.', ({ simulator }) =>
    simulator.faults.clear(),
  ),

  'DELETE /faults/:id': operation(
    'Remove a fault rule.',
    ({ simulator: { faults } }, id: string) => {
      const known = () => faults.list().map((fault) => fault.id)
      found(faults.remove(id), 'id', `Fault ${id}`, id, known)
    },
  ),
}

export const sandboxOperations = {
  'GET /sandboxes': operation(
    'List the active sandboxes, the oldest first: URL, keys, projects and expiry.',
    ({ server, origin }) => server.sandboxes.list().map((info) => toServed(info, origin)),
  ),

  'POST /sandboxes': operation(
    'Create an isolated world with its own keys and URL, like the start of the server. Without ttl_s it stays until it is deleted.',
    unchecked<SandboxRequest>(),
    async ({ server: { sandboxes }, origin, body }) => {
      await offerFixture(sandboxes, body.from)
      return toServed(sandboxes.create(body), origin)
    },
  ),

  'DELETE /sandboxes/:id': operation(
    'Delete a sandbox and free its memory.',
    ({ server: { sandboxes } }, id: string) => {
      const known = () => sandboxes.list().map((info) => info.id)
      found(sandboxes.delete(id), 'id', `Sandbox ${id}`, id, known)
    },
  ),
}

/** A server can have several names. */
function toServed(info: SandboxInfo, origin: string): SandboxInfo {
  return { ...info, url: origin + new URL(info.url).pathname }
}
