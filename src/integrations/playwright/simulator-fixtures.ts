import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { type As, createAs } from '../testing/fixtures.ts'
import { answerPages, type RoutedPages } from './answer-pages.ts'

type UseFixture<T> = (value: T) => Promise<void>

/** What of Playwright's `TestInfo` is used. */
interface FinishedTest {
  readonly status?: string | undefined
  readonly expectedStatus: string
  attach(name: string, file: { body: string; contentType: string }): Promise<void>
}

/** Fixtures as Playwright's `test.extend` takes them. */
export interface SimulatorFixtureDefinitions {
  simulatorOptions: [SimulatorOptions, { option: true }]
  simulator: [
    (
      given: { context: RoutedPages; simulatorOptions: SimulatorOptions },
      use: UseFixture<Simulator>,
      outcome: FinishedTest,
    ) => Promise<void>,
    { auto: true },
  ]
  as: (given: { simulator: Simulator }, use: UseFixture<As>) => Promise<void>
}

/**
 * What makes Playwright's `test` one in which a simulator answers the pages: a new one for each test, for all pages of
 * its browser context, without a worker. What is not of the API goes on to the network. A test that fails has the
 * journal attached, as `understudy.har`.
 *
 * @note It is given to the `test` of the project, whose Playwright may not be loaded twice.
 * @example
 * import { test as base } from '@playwright/test'
 * const test = base.extend<SimulatorFixtures>(simulatorFixtures)
 * test.use({ simulatorOptions: { world: 'empty' } })
 * test('no rows are listed', async ({ page, simulator, as }) => {})
 */
export const simulatorFixtures: SimulatorFixtureDefinitions = {
  simulatorOptions: [{}, { option: true }],
  simulator: [
    async ({ context, simulatorOptions }, use, outcome) => {
      const simulator = createSimulator(simulatorOptions)
      const end = await answerPages(context, simulator.handlers)
      await use(simulator)
      await end()
      if (outcome.status === outcome.expectedStatus) return
      const body = JSON.stringify(simulator.journal.toHar())
      await outcome.attach('understudy.har', { body, contentType: 'application/json' })
    },
    { auto: true },
  ],
  as: ({ simulator }, use) => use(createAs(simulator)),
}
