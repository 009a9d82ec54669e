import {
  createTimestamps,
  morningOnOrBefore,
  randomMoment,
  rangeEnd,
  rangeStart,
  workingHourOnOrAfter,
  workingHourOnOrBefore,
} from './calendar.ts'
import type { RowContext, RowDraft } from './making.ts'
import { day, formatMoment, hour, minute, parseMoment, second } from './moments.ts'
import { type TeamEvent, teamEvents, undatedEvent } from './occasions.ts'

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
