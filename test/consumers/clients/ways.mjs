// The ways of a request to a simulator, faults, and what a client does when it meets one.
import { setTimeout as pause } from 'node:timers/promises'
import { setupServer } from 'msw/node'
import { createSimulator } from 'understudy-api'
import { listen, withSimulator } from 'understudy-api/node'

const origin = 'https://app.example.com'

export const ways = {
  async HTTP(run) {
    const simulator = createSimulator()
    const server = await listen(simulator)
    const result = await run(simulator, server.url)
    await server.close()
    return result
  },
  async setupServer(run) {
    const simulator = createSimulator()
    const server = setupServer(...simulator.handlers)
    server.listen({ onUnhandledRequest: 'error' })
    const result = await run(simulator, origin)
    server.close()
    return result
  },
  withSimulator: (run) => withSimulator(({ simulator }) => run(simulator, origin)),
}

/** What happens to each request for a list. */
export const faults = {
  'drop before the write': { effect: { drop: true } },
  'drop after the write': { phase: 'after-commit', effect: { drop: true } },
  'cut body': { effect: { cut_bytes: 20 } },
  hold: { effect: { hold: true } },
}

/** @returns the error that a client throws, and the statuses of its requests: 0 is no response */
export async function behaviourOf(send, fault, simulator, from = origin) {
  simulator.faults.add({ operation: 'listAnnotations', ...faults[fault] })
  const headers = { authorization: 'Bearer phx_all' }
  const sent = send(`${from}/api/projects/1/annotations/`, headers)
  const endless = pause(3_000, null, { ref: false }).then(() => 'no end')
  const result = await Promise.race([sent.then(String, factsOf), endless])
  const { journal } = simulator
  // A server learns a moment later that its client has gone.
  for (let ms = 0; ms < 2_000; ms += 10) {
    if (journal.find().length > 0 && journal.waiting().length === 0) break
    await pause(10)
  }
  const requests = journal.find().map(({ response }) => response.status)
  simulator.faults.clear()
  return { result, requests }
}

function factsOf({ name, code, cause }) {
  return { name, code, cause: cause && { name: cause.name, code: cause.code } }
}
