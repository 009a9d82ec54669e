import { createTimestamps, formatMoment, minute, parseMoment, randomMoment } from './dates.ts'
import { pickOptional, type RowContext, type RowDraft } from './row-context.ts'

/** An annotation that a team could have written: its content, dates, project and scope match. */
export function draftAnnotation(context: RowContext<'annotations'>): RowDraft<'annotations'> {
  return { ...draftPlace(context), ...draftContent(context) }
}

function draftPlace({
  overrides,
  related,
  fake,
  index,
}: RowContext<'annotations'>): RowDraft<'annotations'> {
  const project =
    overrides.project ??
    related.find('dashboard_items', overrides.dashboard_item)?.project ??
    related.choose('projects', index).id
  const items = related.referencing('dashboard_items', 'projects', project)
  const hasItem =
    items.length > 0 && overrides.dashboard_item !== null && fake.datatype.boolean(0.75)
  const ofAll = fake.datatype.boolean(0.06)
    ? 'organization'
    : hasItem
      ? 'dashboard_item'
      : 'project'
  const scope = overrides.scope ?? (overrides.dashboard_item ? 'dashboard_item' : ofAll)
  const organization = related.find('projects', project)?.organization
  const authors = related.referencing('users', 'organizations', organization)
  return {
    project,
    scope,
    dashboard_item: scope === 'dashboard_item' ? (pickOptional(fake, items)?.id ?? null) : null,
    created_by: pickOptional(fake, authors)?.id ?? null,
  }
}

function draftContent(context: RowContext<'annotations'>): RowDraft<'annotations'> {
  const { overrides, fake, now } = context
  const creation_type = overrides.creation_type ?? (fake.datatype.boolean(0.14) ? 'GIT' : 'USR')
  const isDated = fake.datatype.boolean(0.98)
  const drawn = randomMoment(context)
  const start = overrides.date_marker ? parseMoment(overrides.date_marker) : drawn
  const written = start + fake.number.int({ min: 5, max: 60 }) * minute
  const isRecent = start >= drawn && written < now
  return {
    content: describeEvent(context, creation_type),
    date_marker: isDated ? formatMoment(start) : null,
    creation_type,
    ...createTimestamps(overrides, context, isRecent ? written : drawn),
  }
}

function describeEvent({ fake }: RowContext<'annotations'>, creation_type: string): string {
  const version = fake.system.semver()
  if (creation_type === 'GIT') {
    return `Deploy ${version} (${fake.git.commitSha({ length: 7 })}) to production`
  }
  return fake.helpers.arrayElement([
    `Release ${version}: ${fake.company.buzzPhrase()}`,
    `Incident: ${fake.hacker.noun()} answers slowly for ${fake.number.int({ min: 5, max: 120 })} minutes`,
    `${fake.commerce.department()} campaign starts, for ${fake.number.int({ min: 3, max: 28 })} days`,
    `Pricing: ${fake.commerce.productName()} now costs $${fake.commerce.price()}`,
  ])
}
