import { parseKeys } from '../../../src/analysis/observe/keys.ts'
import { Observer, type ObserverOptions } from '../../../src/analysis/observe/observer.ts'
import { Round } from '../../../src/analysis/observe/round.ts'
import { createLoggedServer, type Intercept } from './logged-server.ts'

/** The first round of an observation, its rows, and what it sent since it was last asked: without key and type. */
export function createRound(intercept?: Intercept, options: Partial<ObserverOptions> = {}) {
  const { fetch, sent, simulator } = createLoggedServer({}, intercept)
  const observer = new Observer({
    url: 'http://localhost',
    send: fetch,
    keys: parseKeys({ all: 'phx_all' }),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 60,
    allowWrites: true,
    marker: 'k2j4',
    wait: async () => {},
    ...options,
  })
  observer.errorForms.add('envelope')
  const { own, sender } = observer
  const takeSent = () =>
    sent.splice(0).map((line) => line.replace(/ phx_all( application.json)?/, ''))
  return { observer, round: new Round(observer, 1), own, sender, simulator, takeSent }
}
