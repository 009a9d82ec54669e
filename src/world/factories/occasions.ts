import type { RandomSource } from './dice.ts'
import { day, minute, timeOfDay, weekNumber } from './moments.ts'

/** What a team marks on its charts. */
export interface TeamEvent {
  /** How often it happens, against the others */
  readonly weight: number
  /** In working hours, at any time, or in the morning of any day */
  readonly when: 'working hours' | 'any time' | 'morning'
  /** How long it takes until it is over and can be told */
  readonly duration?: (dice: RandomSource) => number
  /** Whether it is sometimes noted ahead of time */
  readonly canBePlanned?: boolean
  /** Whether it is noted by the pipeline that does it */
  readonly byPipeline?: boolean
  readonly describe: (
    at: number,
    dice: RandomSource,
    span: { lasts: number; since: number },
  ) => string
}

const features =
  'faster checkout|new sign-up form|dark theme|saved filters|guest checkout|CSV import'
const parts = 'checkout|sign-up|search|payments|login|push notifications|image upload'
const tables = 'orders|events|sessions|invoices|accounts'
const pickFrom = (list: string, dice: RandomSource) => dice.pick(list.split('|'))

/** A release a week, a fix a day: a later one never has a lower version. */
function versionAt(at: number, since: number): string {
  return `2.${Math.max(0, weekNumber(at) - weekNumber(since))}.${new Date(at).getUTCDay()}`
}

export const teamEvents: readonly TeamEvent[] = [
  {
    weight: 18,
    when: 'working hours',
    canBePlanned: true,
    describe(at, dice, { since }) {
      const release = `Release ${versionAt(at, since)}`
      return dice.chance(0.5) ? release : `${release}: ${pickFrom(features, dice)}`
    },
  },
  {
    weight: 14,
    when: 'working hours',
    byPipeline: true,
    describe(at, dice, { since }) {
      const what = pickFrom('Deploy|Roll out|Release', dice)
      return `${what} ${versionAt(at, since)} (${dice.commitSha()}) to production`
    },
  },
  {
    weight: 16,
    when: 'any time',
    duration: (dice) => dice.integer(5, 120) * minute,
    describe(at, dice, { lasts }) {
      const what = pickFrom('errors|time-outs|slow answers|outage', dice)
      return `Incident: ${pickFrom(parts, dice)} ${what} from ${timeOfDay(at)} to ${timeOfDay(at + lasts)}`
    },
  },
  {
    weight: 14,
    when: 'morning',
    canBePlanned: true,
    describe(at, dice) {
      const campaign = dice.chance(0.7)
        ? seasonName(at)
        : pickFrom('Newcomer|Loyalty|Referral', dice)
      return `${campaign} campaign starts, ends on ${formatDay(at + dice.integer(3, 28) * day)}`
    },
  },
  {
    weight: 8,
    when: 'working hours',
    canBePlanned: true,
    describe(_, dice) {
      const price = dice.integer(2, 19) * 5
      const plan = pickFrom('Starter|Team|Business', dice)
      return `Pricing: ${plan} plan from $${price - 1} to $${price + 4} a month`
    },
  },
  {
    weight: 8,
    when: 'working hours',
    canBePlanned: true,
    describe: (_, dice) => `Migration of the ${pickFrom(tables, dice)} table to the new cluster`,
  },
  {
    weight: 10,
    when: 'working hours',
    describe: (_, dice) =>
      `A/B test: ${pickFrom(features, dice)} for ${dice.integer(1, 10) * 5} % of users`,
  },
  {
    weight: 6,
    when: 'working hours',
    describe: (_, dice) => `Tracking: ${pickFrom(parts, dice)} events now come from the server`,
  },
  {
    weight: 6,
    when: 'morning',
    canBePlanned: true,
    describe: (_, dice) => `Newsletter to ${dice.integer(20, 480)},000 readers`,
  },
]

/** What has no date yet. */
export const undatedEvent: TeamEvent = {
  weight: 1,
  when: 'any time',
  describe: (_, dice) => `To do: find out when ${pickFrom(parts, dice)} changed`,
}

function seasonName(at: number): string {
  const month = new Date(at).getUTCMonth()
  return ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(((month + 1) % 12) / 3)] as string
}

/** @example dayOf(Date.parse('2024-06-03T00:00:00Z')) // '3 June' */
function formatDay(at: number): string {
  const date = new Date(at)
  const months =
    'January|February|March|April|May|June|July|August|September|October|November|December'
  return `${date.getUTCDate()} ${months.split('|')[date.getUTCMonth()]}`
}
