import {
  morningBefore,
  someMoment,
  toStamps,
  workingHourAfter,
  workingHourBefore,
  yearBegin,
  yearEnd,
} from './calendar.ts'
import type { Draft, Making } from './making.ts'
import { day, hour, minute, second, toMoment, toTime } from './moments.ts'
import { type Occasion, occasions, undated } from './occasions.ts'

/** An annotation as a team writes it: content, times and place go together, and with what is given. */
export function draftAnnotation(making: Making<'annotations'>): Draft<'annotations'> {
  return Object.assign(draftPlace(making), draftNote(making))
}

function draftPlace({ given, places, dice, part }: Making<'annotations'>): Draft<'annotations'> {
  const project =
    given.project ??
    places.find('dashboard_items', given.dashboard_item)?.project ??
    places.one('projects', part).id
  const items = places.of('dashboard_items', 'projects', project)
  const isOnItem = items.length > 0 && given.dashboard_item !== null && dice.odds(0.74)
  const usual = dice.odds(0.06) ? 'organization' : isOnItem ? 'dashboard_item' : 'project'
  const scope = given.scope ?? (given.dashboard_item ? 'dashboard_item' : usual)

  const organization = places.find('projects', project)?.organization
  const authors = places.of('users', 'organizations', organization)
  return {
    project,
    scope,
    dashboard_item: scope === 'dashboard_item' ? (dice.any(items)?.id ?? null) : null,
    created_by: dice.odds(0.96) ? (dice.any(authors)?.id ?? null) : null,
  }
}

function draftNote(making: Making<'annotations'>): Draft<'annotations'> {
  const { given, dice, now } = making
  const isDated = given.date_marker === undefined ? dice.odds(0.98) : given.date_marker !== null
  const occasion = isDated ? dice.weigh(occasionsFor(given.creation_type)) : undated
  const lasts = occasion.lasts?.(dice) ?? 0
  const at = given.date_marker ? toMoment(given.date_marker) : momentOf(occasion, making)
  const content = occasion.tell(at, dice, { lasts, since: yearBegin(now) })
  return {
    content: at > now ? `Planned: ${content}` : content,
    date_marker: isDated ? toTime(at) : null,
    creation_type: occasion.byPipeline ? 'GIT' : 'USR',
    ...toStamps(given, making, notedAt(at + lasts, occasion, making)),
  }
}

function occasionsFor(creation_type: string | undefined): readonly Occasion[] {
  if (creation_type === undefined) return occasions
  return occasions.filter(({ byPipeline = false }) => byPipeline === (creation_type === 'GIT'))
}

function momentOf({ when, canBePlanned }: Occasion, making: Making<'annotations'>): number {
  const { dice, now } = making
  if (canBePlanned && dice.odds(0.06)) {
    return workingHourAfter(now + dice.whole(day, 30 * day), dice)
  }
  const moment = someMoment(making)
  const latest = yearEnd(now)
  if (when === 'working hours') return workingHourBefore(moment, latest, dice)
  return when === 'morning'
    ? morningBefore(moment, latest, dice)
    : Math.floor(moment / minute) * minute
}

/** Soon after it is over; what is planned, before now; what is long past, some time in the last year. */
function notedAt(over: number, { byPipeline }: Occasion, making: Making<'annotations'>): number {
  const { dice, now } = making
  if (over > now) return now - dice.whole(hour, 14 * day)
  if (over < yearBegin(now) - 7 * day) return someMoment(making)
  const delay = byPipeline ? dice.whole(5, 90) * second : dice.whole(1, 60) * minute
  return Math.min(over + delay, now - second)
}
