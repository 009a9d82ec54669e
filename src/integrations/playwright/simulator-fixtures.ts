import process from 'node:process'
import { RunFollower } from '../../analysis/report/run-follower.ts'
import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { describeLatestRequests } from '../testing/failed-requests.ts'
import { type As, createAs } from '../testing/fixtures.ts'
import { answerPages, type RoutedPages } from './answer-pages.ts'
import { usageAttachment, usageVariable } from './reporter.ts'

type UseFixture<T> = (value: T) => Promise<void>

/** The part of Playwright's `TestInfo` that is used. */
interface FinishedTest {
  readonly status?: string | undefined
  readonly expectedStatus: string
  attach(name: string, file: { body: string; contentType: string }): Promise<void>
}

/** Fixtures in the format of Playwright's `test.extend`. */
export interface SimulatorFixtureDefinitions {
  simulatorOptions: [SimulatorOptions, { option: true }]
  simulator: [
    (
      fixtures: { context: RoutedPages; simulatorOptions: SimulatorOptions },
      use: UseFixture<Simulator>,
      testInfo: FinishedTest,
    ) => Promise<void>,
    { auto: true },
  ]
  as: (fixtures: { simulator: Simulator }, use: UseFixture<As>) => Promise<void>
}

/**
 * Fixtures for Playwright's `test`: a new simulator for each test, which answers the requests of all pages of its
 * browser context, without a service worker. Requests to other APIs go to the network. A failed test prints
 * its latest requests, and has them attached as `understudy.txt`, and the journal as `understudy.har`.
 *
 * @note Extend the `test` of your own project, since Playwright cannot be loaded twice.
 * @example
 * import { test as base } from '@playwright/test'
 * const test = base.extend<SimulatorFixtures>(simulatorFixtures)
 * test.use({ simulatorOptions: { world: 'empty' } })
 * test('lists no rows', async ({ page, simulator, as }) => {})
 */
export const simulatorFixtures: SimulatorFixtureDefinitions = {
  simulatorOptions: [{}, { option: true }],
  simulator: [
    async ({ context, simulatorOptions }, use, testInfo) => {
      const simulator = createSimulator(simulatorOptions)
      const follower = process.env[usageVariable] ? new RunFollower(simulator) : null
      const stop = await answerPages(context, simulator.handlers)
      await use(simulator)
      await stop()
      if (follower) {
        const body = JSON.stringify(follower.finish())
        await testInfo.attach(usageAttachment, { body, contentType: 'application/json' })
      }
      if (testInfo.status === testInfo.expectedStatus) return
      const requests = describeLatestRequests(simulator)
      console.error(requests)
      await testInfo.attach('understudy.txt', { body: requests, contentType: 'text/plain' })
      const body = JSON.stringify(simulator.journal.toHar())
      await testInfo.attach('understudy.har', { body, contentType: 'application/json' })
    },
    { auto: true },
  ],
  as: ({ simulator }, use) => use(createAs(simulator)),
}
