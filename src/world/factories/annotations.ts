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
import type { RandomSource, RowContext, RowDraft } from './row-context.ts'

/** An annotation that a team could have written: its content, dates, project and scope match. */
export function draftAnnotation(context: RowContext<'annotations'>): RowDraft<'annotations'> {
  return Object.assign(draftLocation(context), draftContent(context))
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
  const hasItem = items.length > 0 && overrides.dashboard_item !== null && random.chance(0.74)
  const randomScope = random.chance(0.06) ? 'organization' : hasItem ? 'dashboard_item' : 'project'
  const scope = overrides.scope ?? (overrides.dashboard_item ? 'dashboard_item' : randomScope)

  const organization = related.find('projects', project)?.organization
  const authors = related.referencing('users', 'organizations', organization)
  return {
    project,
    scope,
    dashboard_item: scope === 'dashboard_item' ? (random.pickOptional(items)?.id ?? null) : null,
    created_by: random.chance(0.96) ? (random.pickOptional(authors)?.id ?? null) : null,
  }
}

function draftContent(context: RowContext<'annotations'>): RowDraft<'annotations'> {
  const { overrides, random, now } = context
  const isDated =
    overrides.date_marker === undefined ? random.chance(0.98) : overrides.date_marker !== null
  const event = isDated ? random.pickWeighted(teamEventsFor(overrides.creation_type)) : undatedEvent
  const duration = event.duration?.(random) ?? 0
  const start = overrides.date_marker
    ? parseMoment(overrides.date_marker)
    : drawMoment(event, context)
  const content = event.describe(start, random, { duration, firstRelease: rangeStart(now) })
  return {
    content: start > now ? `Planned: ${content}` : content,
    date_marker: isDated ? formatMoment(start) : null,
    creation_type: event.byPipeline ? 'GIT' : 'USR',
    ...createTimestamps(overrides, context, drawCreationMoment(start + duration, event, context)),
  }
}

function teamEventsFor(creation_type: string | undefined): readonly TeamEvent[] {
  if (creation_type === undefined) return teamEvents
  return teamEvents.filter(({ byPipeline = false }) => byPipeline === (creation_type === 'GIT'))
}

function drawMoment({ when, canBePlanned }: TeamEvent, context: RowContext<'annotations'>): number {
  const { random, now } = context
  if (canBePlanned && random.chance(0.06)) {
    return workingHourOnOrAfter(now + random.integer(day, 30 * day), random)
  }
  const moment = randomMoment(context)
  const latest = rangeEnd(now)
  if (when === 'any time') return Math.floor(moment / minute) * minute
  const chooseTime = when === 'morning' ? morningOnOrBefore : workingHourOnOrBefore
  return chooseTime(moment, latest, random)
}

/** Soon after the event; before now for a planned event; some time in the last year for an older event. */
function drawCreationMoment(
  end: number,
  { byPipeline }: TeamEvent,
  context: RowContext<'annotations'>,
): number {
  const { random, now } = context
  if (end > now) return now - random.integer(hour, 14 * day)
  if (end < rangeStart(now) - 7 * day) return randomMoment(context)
  const delay = byPipeline ? random.integer(5, 90) * second : random.integer(1, 60) * minute
  return Math.min(end + delay, now - second)
}

interface TeamEvent {
  /** The frequency, relative to other events */
  readonly weight: number
  /** Without it, the event is during working hours. */
  readonly when?: 'any time' | 'morning'
  /** The duration. The annotation is written afterwards. */
  readonly duration?: (random: RandomSource) => number
  /** Whether the event is sometimes annotated in advance */
  readonly canBePlanned?: boolean
  /** Whether a deployment pipeline creates the annotation */
  readonly byPipeline?: boolean
  readonly describe: (
    start: number,
    random: RandomSource,
    details: { duration: number; firstRelease: number },
  ) => string
}

const features =
  'faster checkout|new sign-up form|dark theme|saved filters|guest checkout|CSV import'
const parts = 'checkout|sign-up|search|payments|login|push notifications|image upload'
const tables = 'orders|events|sessions|invoices|accounts'

/** One minor version per week, one patch per day: a later release never has a lower version. */
function versionAt(moment: number, firstRelease: number): string {
  const week = Math.max(0, weekNumber(moment) - weekNumber(firstRelease))
  return `2.${week}.${new Date(moment).getUTCDay()}`
}

const teamEvents: readonly TeamEvent[] = [
  {
    weight: 18,
    canBePlanned: true,
    describe(start, random, { firstRelease }) {
      const release = `Release ${versionAt(start, firstRelease)}`
      return random.chance(0.5) ? release : `${release}: ${random.pickWord(features)}`
    },
  },
  {
    weight: 14,
    byPipeline: true,
    describe(start, random, { firstRelease }) {
      const verb = random.pickWord('Deploy|Roll out|Release')
      return `${verb} ${versionAt(start, firstRelease)} (${random.commitSha()}) to production`
    },
  },
  {
    weight: 16,
    when: 'any time',
    duration: (random) => random.integer(5, 120) * minute,
    describe(start, random, { duration }) {
      const problem = random.pickWord('errors|time-outs|slow answers|outage')
      const times = `from ${timeOfDay(start)} to ${timeOfDay(start + duration)}`
      return `Incident: ${random.pickWord(parts)} ${problem} ${times}`
    },
  },
  {
    weight: 14,
    when: 'morning',
    canBePlanned: true,
    describe(start, random) {
      const campaign = random.chance(0.7)
        ? seasonName(start)
        : random.pickWord('Newcomer|Loyalty|Referral')
      return `${campaign} campaign starts, ends on ${formatDay(start + random.integer(3, 28) * day)}`
    },
  },
  {
    weight: 8,
    canBePlanned: true,
    describe(_, random) {
      const price = random.integer(2, 19) * 5
      const plan = random.pickWord('Starter|Team|Business')
      return `Pricing: ${plan} plan from $${price - 1} to $${price + 4} a month`
    },
  },
  {
    weight: 8,
    canBePlanned: true,
    describe: (_, random) => `Migration of the ${random.pickWord(tables)} table to the new cluster`,
  },
  {
    weight: 10,
    describe: (_, random) =>
      `A/B test: ${random.pickWord(features)} for ${random.integer(1, 10) * 5} % of users`,
  },
  {
    weight: 6,
    describe: (_, random) => `Tracking: ${random.pickWord(parts)} events now come from the server`,
  },
  {
    weight: 6,
    when: 'morning',
    canBePlanned: true,
    describe: (_, random) => `Newsletter to ${random.integer(20, 480)},000 readers`,
  },
]

const undatedEvent: TeamEvent = {
  weight: 1,
  when: 'any time',
  describe: (_, random) => `To do: find out when ${random.pickWord(parts)} changed`,
}

function seasonName(moment: number): string {
  const month = new Date(moment).getUTCMonth()
  return ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(((month + 1) % 12) / 3)] as string
}

/** @example formatDay(Date.parse('2024-06-03T00:00:00Z')) // '3 June' */
function formatDay(moment: number): string {
  const date = new Date(moment)
  const months =
    'January|February|March|April|May|June|July|August|September|October|November|December'
  return `${date.getUTCDate()} ${months.split('|')[date.getUTCMonth()]}`
}
