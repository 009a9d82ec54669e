import {
  createTimestamps,
  day,
  formatMoment,
  hour,
  minute,
  morningOnOrBefore,
  parseMoment,
  randomMoment,
  rangeEnd,
  rangeStart,
  second,
  timeOfDay,
  weekNumber,
  workingHourOnOrAfter,
  workingHourOnOrBefore,
} from './dates.ts'
import type { RandomSource } from './random.ts'
import type { RowContext, RowDraft } from './row-context.ts'

/** An annotation as a team writes it: content, times and place go together, and with what is given. */
export function draftAnnotation(making: RowContext<'annotations'>): RowDraft<'annotations'> {
  return Object.assign(draftLocation(making), draftContent(making))
}

function draftLocation({
  overrides,
  related,
  random,
  position,
}: RowContext<'annotations'>): RowDraft<'annotations'> {
  const project =
    overrides.project ??
    related.find('dashboard_items', overrides.dashboard_item)?.project ??
    related.choose('projects', position).id
  const items = related.referencing('dashboard_items', 'projects', project)
  const isOnItem = items.length > 0 && overrides.dashboard_item !== null && random.chance(0.74)
  const usual = random.chance(0.06) ? 'organization' : isOnItem ? 'dashboard_item' : 'project'
  const scope = overrides.scope ?? (overrides.dashboard_item ? 'dashboard_item' : usual)

  const organization = related.find('projects', project)?.organization
  const authors = related.referencing('users', 'organizations', organization)
  return {
    project,
    scope,
    dashboard_item: scope === 'dashboard_item' ? (random.pickOptional(items)?.id ?? null) : null,
    created_by: random.chance(0.96) ? (random.pickOptional(authors)?.id ?? null) : null,
  }
}

function draftContent(making: RowContext<'annotations'>): RowDraft<'annotations'> {
  const { overrides, random, now } = making
  const isDated =
    overrides.date_marker === undefined ? random.chance(0.98) : overrides.date_marker !== null
  const occasion = isDated
    ? random.pickWeighted(teamEventsFor(overrides.creation_type))
    : undatedEvent
  const lasts = occasion.duration?.(random) ?? 0
  const at = overrides.date_marker
    ? parseMoment(overrides.date_marker)
    : drawMoment(occasion, making)
  const content = occasion.describe(at, random, { lasts, since: rangeStart(now) })
  return {
    content: at > now ? `Planned: ${content}` : content,
    date_marker: isDated ? formatMoment(at) : null,
    creation_type: occasion.byPipeline ? 'GIT' : 'USR',
    ...createTimestamps(overrides, making, drawCreationMoment(at + lasts, occasion, making)),
  }
}

function teamEventsFor(creation_type: string | undefined): readonly TeamEvent[] {
  if (creation_type === undefined) return teamEvents
  return teamEvents.filter(({ byPipeline = false }) => byPipeline === (creation_type === 'GIT'))
}

function drawMoment({ when, canBePlanned }: TeamEvent, making: RowContext<'annotations'>): number {
  const { random, now } = making
  if (canBePlanned && random.chance(0.06)) {
    return workingHourOnOrAfter(now + random.integer(day, 30 * day), random)
  }
  const moment = randomMoment(making)
  const latest = rangeEnd(now)
  if (when === 'working hours') return workingHourOnOrBefore(moment, latest, random)
  return when === 'morning'
    ? morningOnOrBefore(moment, latest, random)
    : Math.floor(moment / minute) * minute
}

/** Soon after it is over; what is planned, before now; what is long past, some time in the last year. */
function drawCreationMoment(
  over: number,
  { byPipeline }: TeamEvent,
  making: RowContext<'annotations'>,
): number {
  const { random, now } = making
  if (over > now) return now - random.integer(hour, 14 * day)
  if (over < rangeStart(now) - 7 * day) return randomMoment(making)
  const delay = byPipeline ? random.integer(5, 90) * second : random.integer(1, 60) * minute
  return Math.min(over + delay, now - second)
}

/** What a team marks on its charts. */
interface TeamEvent {
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

const teamEvents: readonly TeamEvent[] = [
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
const undatedEvent: TeamEvent = {
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
