import fc from 'fast-check'
import { adminCommands, repeat } from './admin-commands.ts'
import { anyIntent, concurrentIntents, type Intent, toRequest, worldAt } from './intents.ts'
import { explain } from './orders.ts'
import type { Profile } from './rules/call.ts'
import { differenceOf, showBody, showRequest } from './show.ts'
import { type Command, step } from './step.ts'

/** One request, and the same response from both. */
const requestCommand = (profile: Profile): fc.Arbitrary<Command> =>
  anyIntent(profile).map((intent) =>
    step(showIntent(intent), async (model, driver) => {
      const request = toRequest(intent, model, driver.origin)
      const actual = await driver.send(request)
      const difference = differenceOf(model.send(request), actual)
      if (difference) throw new Error(`${showRequest(request)}\n${difference}`)
    }),
  )

/** Concurrent clients: some order of their requests explains every response and the rows afterwards. */
const togetherCommand = concurrentIntents.map((intents) =>
  step(`together(${intents.map(showIntent).join(' | ')})`, async (model, driver) => {
    const requests = intents.map((intent) => toRequest(intent, model, driver.origin))
    const exchanges = await Promise.all(
      requests.map(async (request) => ({ request, response: await driver.send(request) })),
    )
    model.steps += requests.length - 1
    const name = worldAt(model, intents[0]?.world ?? 0)
    model.become(explain(model, exchanges, name, driver.state(name)))
  }),
)

/** Commands, each as often as it shall be chosen. */
export function commands(profile: Profile, replayPath: string): fc.Arbitrary<Iterable<Command>> {
  const all: fc.Arbitrary<Command>[] = [
    ...repeat(60, requestCommand(profile)),
    ...repeat(4, togetherCommand),
    ...adminCommands,
  ]
  return fc.commands(all, { maxCommands: 120, size: 'max', ...(replayPath && { replayPath }) })
}

function showIntent(intent: Intent): string {
  const { method, resource, rest, parent, row, world, key, body } = intent
  const where = `${resource}${rest ?? '?'}`.replace(':id', `#${row}`)
  return `${method} ${parent.slice(-2)}/${where} w${world} k${key}${body ? ` ${showBody(body)}` : ''}`
}
