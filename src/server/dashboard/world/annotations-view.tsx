import type { AnnotationQuery } from '../../../world/edit/find-rows.ts'
import type { AnnotationJson } from '../../../world/world-json.ts'
import {
  toOptions,
  useRowNames,
  useViewParams,
  useVocabulary,
  withoutEmpty,
} from '../kit/context.ts'
import {
  Checkbox,
  DateTimeField,
  DayField,
  Input,
  SearchField,
  Select,
  useFields,
} from '../kit/fields.tsx'
import { useActionButton } from '../kit/form.tsx'
import { formatDateTime } from '../kit/format.ts'
import { none } from '../kit/inline.tsx'
import { Filters } from '../kit/panels.tsx'
import type { Column } from '../kit/table.tsx'
import { NewRowButtons, RowDialog, type RowFormProps, RowTable, useRows } from './rows.tsx'

const emptyFilter = {
  search: '',
  project: '',
  scope: '',
  state: 'all',
  /** A day, as a date field has it: 2024-06-01 */
  since: '',
  until: '',
  /** Empty: the order of the API. Those without a date come first, then the latest. */
  sort: '',
  page: '',
}

function toQuery(filter: typeof emptyFilter): AnnotationQuery {
  const { search, project, scope, state, since, until } = filter
  return withoutEmpty({
    search,
    project: project && Number(project),
    scope,
    deleted: state === 'all' ? '' : state === 'deleted',
    since: toStartOfDay(since),
    until: toStartOfDay(until),
  })
}

/** Empty while a day is typed. */
function toStartOfDay(day: string): string {
  return Number.isNaN(Date.parse(day)) || day.length < 10 ? '' : `${day}T00:00:00Z`
}

const stateOptions = [
  ['all', 'All (incl. deleted)'],
  ['live', 'Not deleted'],
  ['deleted', 'Deleted'],
] as const

export function AnnotationsView() {
  const { params: filter, field } = useViewParams(emptyFilter)
  const query = toQuery(filter)
  const page = useRows('annotations', query, emptyFilter.sort)
  const action = useActionButton()
  const projects = useRowNames('projects')
  const users = useRowNames('users')
  const projectOptions = [['', 'All projects'] as const, ...toOptions(projects)]
  const scopes = [['', 'All scopes'] as const, ...(useVocabulary()?.annotation_scopes ?? [])]
  const columns: readonly Column<AnnotationJson>[] = [
    ['number', 'ID', ({ id }) => id, 'id'],
    ['when', 'Date', ({ date_marker }) => <ShortTime time={date_marker} />, 'date_marker'],
    ['content', 'Content', (row) => <AnnotationContent row={row} />, 'content'],
    ['wide', 'Scope', ({ scope }) => <span class={`scope ${scope}`}>{scope}</span>, 'scope'],
    ['extra name', 'Project', (row) => <Named names={projects} id={row.project} />, 'project'],
    ['extra name', 'Author', (row) => <Named names={users} id={row.created_by} />, 'created_by'],
  ]
  return (
    <>
      <div class="toolbar">
        <SearchField placeholder="Search content" {...field('search')} />
        <Filters>
          <Select label="Project" hideLabel options={projectOptions} {...field('project')} />
          <Select label="Scope" hideLabel options={scopes} {...field('scope')} />
          <Select label="State" hideLabel options={stateOptions} {...field('state')} />
          <span class="range">
            <DayField label="From" class="check" {...field('since')} />
            <DayField label="until" class="check" {...field('until')} />
          </span>
        </Filters>
        <NewRowButtons page={page} />
      </div>
      <RowTable
        page={page}
        label="Annotations"
        empty="No annotations match the filter."
        hint="Change the filter, add an annotation, or generate some."
        columns={columns}
        rowClass={({ deleted }) => (deleted ? 'deleted' : '')}
        actions={({ id, deleted }) =>
          action(
            deleted ? 'Restore' : 'Delete',
            `Annotation ${id} ${deleted ? 'restored' : 'deleted'}.`,
            () => page.save(id, { deleted: !deleted }),
            { class: deleted ? 'quiet' : 'quiet danger', row: `annotation ${id}` },
          )
        }
      />
      {page.edited && <AnnotationForm page={page} row={page.edited} />}
    </>
  )
}

function AnnotationContent({ row: { content, deleted, scope } }: { row: AnnotationJson }) {
  return (
    <>
      {content ? <span class="text">{content}</span> : <span class="dim">no content</span>}{' '}
      {deleted && <span class="tag bad">deleted</span>}
      <span class={`narrow scope ${scope}`}>{scope}</span>
    </>
  )
}

/** The name of a row. A long one is cut off, and whole in its tooltip. */
function Named(props: { names: ReadonlyMap<unknown, string | null>; id: number | null }) {
  const { names, id } = props
  const name = names.get(id)
  return id === null ? none : <span title={`${name ?? ''} (${id})`}>{name ?? id}</span>
}

/** Shows `2024-06-03T09:00:00.123456Z` as `2024-06-03 09:00`. The date never wraps. */
function ShortTime({ time }: { time: string | null }) {
  if (time === null) return <span class="dim">no date</span>
  const [date, minutes] = formatDateTime(time, 'minute').split(' ')
  return (
    <time dateTime={time}>
      <span class="date">{date}</span> {minutes}
    </time>
  )
}

type Editable = Exclude<keyof RowFormProps<'annotations'>['row'], 'id' | 'updated_at'>

const idFields = ['project', 'created_by', 'dashboard_item']

/** The dialog that creates or edits an annotation. */
function AnnotationForm({ page, row }: RowFormProps<'annotations'>) {
  const projects = toOptions(useRowNames('projects'))
  const users = toOptions(useRowNames('users'))
  const items = toOptions(useRowNames('dashboard_items'))
  const initial = {
    content: row.content ?? '',
    date_marker: row.date_marker ?? '',
    scope: row.scope ?? 'project',
    project: String(row.project ?? ''),
    creation_type: row.creation_type ?? 'USR',
    created_by: String(row.created_by ?? ''),
    dashboard_item: String(row.dashboard_item ?? ''),
    created_at: row.created_at ?? '',
    deleted: row.deleted ?? false,
  } satisfies Record<Editable, string | boolean>
  const [draft, field] = useFields(initial)
  const scopes = useVocabulary()?.annotation_scopes ?? [draft.scope]
  const project = draft.project || projects[0]?.[0] || ''
  // Only changed fields are sent: a request of the client may change the others meanwhile.
  const save = () => {
    const toTyped = (name: string, value: string | boolean) =>
      value === '' ? null : idFields.includes(name) ? Number(value) : value
    const isSent = (name: string, value: string | boolean) =>
      row.id === undefined ? value !== '' : value !== Reflect.get(initial, name)
    const changes = Object.entries({ ...draft, project })
      .filter(([name, value]) => isSent(name, value))
      .map(([name, value]) => [name, toTyped(name, value)])
    return page.save(row.id, Object.fromEntries(changes))
  }
  const types = [...new Set(['USR', 'GIT', initial.creation_type])]
  return (
    <RowDialog page={page} save={save}>
      <Input label="Content" rows={3} {...field('content')} />
      <div class="side-by-side">
        <DateTimeField label="Date marker (UTC)" {...field('date_marker')} />
        <Select label="Scope" options={scopes} {...field('scope')} />
        <Select label="Project" options={projects} {...field('project')} value={project} />
        <Select
          label="Dashboard item"
          options={[['', 'None'], ...items]}
          {...field('dashboard_item')}
        />
        <Select label="Created by" options={[['', 'No user'], ...users]} {...field('created_by')} />
        <DateTimeField label="Created at (UTC)" {...field('created_at')} />
        <Select label="Creation type" options={types} {...field('creation_type')} />
      </div>
      <Checkbox label="Deleted" {...field('deleted')} />
      <p class="dim">
        Saved directly to the world, without the rules of the API, and not in the journal. Types and
        lengths are still checked.
      </p>
    </RowDialog>
  )
}
