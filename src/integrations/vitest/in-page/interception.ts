import { type SetupWorker, setupWorker } from 'msw/browser'
import { TestRunner } from 'vitest'
import type { Simulator } from '../../../simulator/simulator.ts'
import { UsageError } from '../../../utils/errors.ts'
import { followAborts } from '../../browser/follow-aborts.ts'
import { bypass, claimPage } from '../../browser/page-simulator.ts'
import { forbidRequests, OtherHandlers, refuseLate } from '../../testing/other-requests.ts'

// `browser` in package.json puts the modules of this folder in place of those of the same name, which need Node.

const { explainUnknownPath, passthroughLocal, refuseAll } = new OtherHandlers()

/** Answers the requests of a page by MSW's worker, for one function at a time: a worker does not know who sent a request. */
class PageInterception {
  readonly #running: Simulator[] = []
  /** What gives MSW's worker other handlers */
  #worker: Promise<SetupWorker['resetHandlers']> | null = null

  /**
   * Runs a function with the handlers of a simulator. Requests that no handler matches go through to this machine, and
   * fail elsewhere.
   *
   * @throws UsageError in a concurrent test, and for a page that MSW's worker cannot control
   */
  async run<T>(simulator: Simulator, run: () => T | Promise<T>): Promise<T> {
    if (TestRunner.getCurrentTest()?.concurrent) {
      throw new UsageError(
        'In a page, tests run one after the other: a request does not say which test sent it. Remove `concurrent`.',
      )
    }
    this.#worker ??= startWorker()
    const use = await this.#worker
    this.#running.push(simulator)
    this.#useLatest(use, simulator)
    try {
      return await run()
    } finally {
      simulator.faults.release()
      this.#running.splice(this.#running.indexOf(simulator), 1)
      this.#useLatest(use, simulator)
    }
  }

  isActive(simulator: Simulator): boolean {
    return this.#running.at(-1) === simulator
  }

  /** @param last what to refuse the requests to if no function runs, as those of a component that is still mounted */
  #useLatest(use: SetupWorker['resetHandlers'], last: Simulator) {
    const simulator = this.#running.at(-1)
    if (simulator) use(...simulator.handlers, explainUnknownPath, passthroughLocal, refuseAll)
    else use(refuseLate(last))
  }
}

/** One per page. The page ends with the test file, and its worker with it. */
export const interception: PageInterception = new PageInterception()

async function startWorker(): Promise<SetupWorker['resetHandlers']> {
  claimPage()
  const worker = setupWorker()
  // Between tests, requests of the page itself go to the network.
  await worker.start({ quiet: true, ...bypass })
  // When a page is left, its worker no longer gets what it saves.
  addEventListener('pagehide', forbidRequests)
  const { handler } = followAborts()
  return (...handlers) => worker.resetHandlers(handler, ...handlers)
}
