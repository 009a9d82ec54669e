import { type SetupWorker, setupWorker } from 'msw/browser'
import { TestRunner } from 'vitest'
import type { Simulator } from '../../../simulator/simulator.ts'
import { UsageError } from '../../../utils/errors.ts'
import { claimPage } from '../../browser/claim-page.ts'
import { followAborts } from '../../browser/follow-aborts.ts'
import { OtherHandlers } from '../../testing/other-requests.ts'

// `browser` in package.json puts the modules of this folder in place of those of the same name, which need Node.

const { explainUnknownPath, passthroughAll, passthroughLocal, refuseAll } = new OtherHandlers()

/** Answers the requests of a page by MSW's worker, for one function at a time: a worker does not know who sent a request. */
class PageInterception {
  readonly #running: Simulator[] = []
  #aborts: ReturnType<typeof followAborts> | null = null
  #worker: Promise<SetupWorker> | null = null

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
    this.#worker ??= startWorker().catch((error) => {
      // The next test tries again: its error is its own, such as of a worker file that is there by then.
      this.#worker = null
      throw error
    })
    const worker = await this.#worker
    this.#aborts ??= followAborts()
    this.#running.push(simulator)
    this.#useLatest(worker)
    try {
      return await run()
    } finally {
      simulator.faults.release()
      this.#running.splice(this.#running.indexOf(simulator), 1)
      this.#useLatest(worker)
    }
  }

  /** Whether this simulator answers requests here. */
  isActive(simulator: Simulator): boolean {
    return this.#running.at(-1) === simulator
  }

  #useLatest(worker: SetupWorker): void {
    const simulator = this.#running.at(-1)
    const { handler = passthroughAll } = this.#aborts ?? {}
    worker.resetHandlers(
      ...(simulator
        ? [handler, ...simulator.handlers, explainUnknownPath, passthroughLocal, refuseAll]
        : [passthroughAll]),
    )
  }
}

/** One per page. The page ends with the test file, and its worker with it. */
export const interception: PageInterception = new PageInterception()

async function startWorker(): Promise<SetupWorker> {
  const release = claimPage()
  const worker = setupWorker(passthroughAll)
  await worker.start({ quiet: true }).catch((error: Error) => {
    release()
    throw error
  })
  return worker
}
