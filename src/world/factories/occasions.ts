import type { Dice } from './dice.ts'
import { day, minute, timeOfDay, weekOf } from './moments.ts'

/** What a team marks on its charts. */
export interface Occasion {
  /** How often it happens, against the others */
  readonly weight: number
  /** In working hours, at any time, or in the morning of any day */
  readonly when: 'working hours' | 'any time' | 'morning'
  /** How long it takes until it is over and can be told */
  readonly lasts?: (dice: Dice) => number
  /** Whether it is sometimes noted ahead of time */
  readonly canBePlanned?: boolean
  /** Whether it is noted by the pipeline that does it */
  readonly byPipeline?: boolean
  readonly tell: (at: number, dice: Dice, span: { lasts: number; since: number }) => string
}

const features =
  'faster checkout|new sign-up form|dark theme|saved filters|guest checkout|CSV import'
const parts = 'checkout|sign-up|search|payments|login|push notifications|image upload'
const tables = 'orders|events|sessions|invoices|accounts'
const oneOf = (list: string, dice: Dice) => dice.pick(list.split('|'))

/** A release a week, a fix a day: a later one never has a lower version. */
function versionAt(at: number, since: number): string {
  return `2.${Math.max(0, weekOf(at) - weekOf(since))}.${new Date(at).getUTCDay()}`
}

export const occasions: readonly Occasion[] = [
  {
    weight: 18,
    when: 'working hours',
    canBePlanned: true,
    tell(at, dice, { since }) {
      const release = `Release ${versionAt(at, since)}`
      return dice.odds(0.5) ? release : `${release}: ${oneOf(features, dice)}`
    },
  },
  {
    weight: 14,
    when: 'working hours',
    byPipeline: true,
    tell(at, dice, { since }) {
      const what = oneOf('Deploy|Roll out|Release', dice)
      return `${what} ${versionAt(at, since)} (${dice.commit()}) to production`
    },
  },
  {
    weight: 16,
    when: 'any time',
    lasts: (dice) => dice.whole(5, 120) * minute,
    tell(at, dice, { lasts }) {
      const what = oneOf('errors|time-outs|slow answers|outage', dice)
      return `Incident: ${oneOf(parts, dice)} ${what} from ${timeOfDay(at)} to ${timeOfDay(at + lasts)}`
    },
  },
  {
    weight: 14,
    when: 'morning',
    canBePlanned: true,
    tell(at, dice) {
      const campaign = dice.odds(0.7) ? seasonOf(at) : oneOf('Newcomer|Loyalty|Referral', dice)
      return `${campaign} campaign starts, ends on ${dayOf(at + dice.whole(3, 28) * day)}`
    },
  },
  {
    weight: 8,
    when: 'working hours',
    canBePlanned: true,
    tell(_, dice) {
      const price = dice.whole(2, 19) * 5
      const plan = oneOf('Starter|Team|Business', dice)
      return `Pricing: ${plan} plan from $${price - 1} to $${price + 4} a month`
    },
  },
  {
    weight: 8,
    when: 'working hours',
    canBePlanned: true,
    tell: (_, dice) => `Migration of the ${oneOf(tables, dice)} table to the new cluster`,
  },
  {
    weight: 10,
    when: 'working hours',
    tell: (_, dice) => `A/B test: ${oneOf(features, dice)} for ${dice.whole(1, 10) * 5} % of users`,
  },
  {
    weight: 6,
    when: 'working hours',
    tell: (_, dice) => `Tracking: ${oneOf(parts, dice)} events now come from the server`,
  },
  {
    weight: 6,
    when: 'morning',
    canBePlanned: true,
    tell: (_, dice) => `Newsletter to ${dice.whole(20, 480)},000 readers`,
  },
]

/** What has no date yet. */
export const undated: Occasion = {
  weight: 1,
  when: 'any time',
  tell: (_, dice) => `To do: find out when ${oneOf(parts, dice)} changed`,
}

function seasonOf(at: number): string {
  const month = new Date(at).getUTCMonth()
  return ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(((month + 1) % 12) / 3)] as string
}

/** @example dayOf(Date.parse('2024-06-03T00:00:00Z')) // '3 June' */
function dayOf(at: number): string {
  const date = new Date(at)
  const months =
    'January|February|March|April|May|June|July|August|September|October|November|December'
  return `${date.getUTCDate()} ${months.split('|')[date.getUTCMonth()]}`
}
