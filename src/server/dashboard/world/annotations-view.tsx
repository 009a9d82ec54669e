import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../../world/world-json.ts'
import { useAction, useFirstRows, useProjectOptions, useVocabulary } from '../kit/context.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Button, bindFields, Input, Select } from '../kit/fields.tsx'
import { Form } from '../kit/form.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'
import {
  AnnotationFilterBar,
  emptyAnnotationFilter,
  toAnnotationQuery,
} from './annotation-filter.tsx'
import { TimelineView } from './timeline-view.tsx'
import { GenerateRows, type RowActions, RowPage, useRowActions, useRows } from './use-rows.tsx'

/** The annotations of the world, including deleted ones. */
export function AnnotationsView() {
  const [filter, setFilter] = useState(emptyAnnotationFilter)
  const loaded = useRows('annotations', toAnnotationQuery(filter))
  const { value, reload, version } = loaded
  const actions = useRowActions('annotations', 'Annotation', reload)
  const [edited, setEdited] = useState<Partial<AnnotationJson> | null>(null)
  return (
    <>
      <AnnotationFilterBar filter={filter} setFilter={setFilter}>
        <Button onClick={() => setEdited({})}>Add</Button>
        <GenerateRows noun="annotations" onGenerate={actions.generate} />
      </AnnotationFilterBar>
      <TimelineView filter={filter} setFilter={setFilter} version={`${version} ${value?.count}`} />
      <RowPage rows={loaded} empty="No annotations match the filter.">
        {(rows) => <AnnotationTable rows={rows} actions={actions} onEdit={setEdited} />}
      </RowPage>
      {edited && <AnnotationForm row={edited} actions={actions} onClose={() => setEdited(null)} />}
    </>
  )
}

interface AnnotationTableProps {
  readonly rows: readonly AnnotationJson[]
  readonly actions: RowActions<'annotations'>
  readonly onEdit: (row: AnnotationJson) => void
}

function AnnotationTable({ rows, actions, onEdit }: AnnotationTableProps) {
  const run = useAction()
  const projects = new Map(useFirstRows('projects').map(({ id, name }) => [id, name]))
  const authors = new Map(
    useFirstRows('users').map((user) => [user.id, `${user.first_name} ${user.last_name}`.trim()]),
  )
  const columns: readonly Column<AnnotationJson>[] = [
    ['number', 'ID', ({ id }) => id],
    ['when', 'Date', ({ date_marker }) => <ShortTime time={date_marker} />],
    ['content', 'Content', (row) => <AnnotationContent row={row} />],
    ['wide', 'Scope', ({ scope }) => <span class={`scope ${scope}`}>{scope}</span>],
    [
      'wide',
      'Project',
      ({ project }) => <span title={`Project ${project}`}>{projects.get(project) ?? project}</span>,
    ],
    [
      'wide',
      'Author',
      ({ created_by: id }) =>
        id === null ? (
          <span class="dim">–</span>
        ) : (
          <span title={`User ${id}`}>{authors.get(id) ?? id}</span>
        ),
    ],
  ]
  return (
    <ScrollArea label="Annotations">
      <Table
        {...{ columns, rows }}
        rowKey={({ id }) => id}
        rowClass={({ deleted }) => (deleted ? 'deleted' : '')}
        actions={(row) => {
          const { id, deleted } = row
          const toggleDeleted = () => actions.save(id, { deleted: !deleted })
          return (
            <>
              <Button class="quiet" row={`annotation ${id}`} onClick={() => onEdit(row)}>
                Edit
              </Button>
              <Button
                class="quiet"
                row={`annotation ${id}`}
                onClick={() =>
                  run(`Annotation ${id} ${deleted ? 'restored' : 'deleted'}.`, toggleDeleted)
                }
              >
                {deleted ? 'Restore' : 'Delete'}
              </Button>
            </>
          )
        }}
      />
    </ScrollArea>
  )
}

function AnnotationContent({ row: { content, deleted, scope } }: { row: AnnotationJson }) {
  return (
    <>
      {content === null || content === '' ? <span class="dim">no content</span> : content}
      {deleted && <span class="tag bad">deleted</span>}
      <span class={`narrow scope ${scope}`}>{scope}</span>
    </>
  )
}

/** Shows `2024-06-03T09:00:00.123456Z` as `2024-06-03 09:00`. The date never wraps. */
function ShortTime({ time }: { time: string | null }) {
  if (time === null) return <span class="dim">no date</span>
  return (
    <time dateTime={time}>
      <span class="date">{time.slice(0, 10)}</span> {time.slice(11, 16)}
    </time>
  )
}

interface AnnotationFormProps {
  /** The row to edit. A row without an id is created. */
  readonly row: Partial<AnnotationJson>
  readonly actions: RowActions<'annotations'>
  readonly onClose: () => void
}

function AnnotationForm({ row, actions, onClose }: AnnotationFormProps) {
  const projects = useProjectOptions()
  const vocabulary = useVocabulary()
  const [draft, setDraft] = useState({
    content: row.content ?? '',
    date_marker: row.date_marker ?? '',
    scope: row.scope ?? 'project',
    project: String(row.project ?? ''),
  })
  const field = bindFields(draft, setDraft)
  const project = draft.project || projects[0]?.[0] || ''
  const save = () => {
    const { content, date_marker, scope } = draft
    // Only changed fields are sent: a request of the client may change the others meanwhile.
    return actions.save(row.id, {
      ...(content !== (row.content ?? '') && { content: content || null }),
      ...(date_marker !== (row.date_marker ?? '') && { date_marker: date_marker || null }),
      ...(scope !== row.scope && { scope }),
      ...(project !== String(row.project ?? '') && { project: Number(project) }),
    })
  }
  return (
    <Dialog
      title={row.id === undefined ? 'New annotation' : `Edit annotation ${row.id}`}
      onClose={onClose}
    >
      <Form save={save} onSuccess={onClose}>
        <label>
          Content
          <textarea
            rows={3}
            value={draft.content}
            onInput={({ currentTarget }) => field('content').onChange(currentTarget.value)}
          />
        </label>
        <Input
          label="Date marker"
          placeholder="2024-06-01T12:00:00Z (optional)"
          {...field('date_marker')}
        />
        <Select
          label="Scope"
          options={vocabulary?.annotation_scopes ?? [draft.scope]}
          {...field('scope')}
        />
        <Select label="Project" options={projects} {...field('project')} value={project} />
        <p class="dim">
          Saved directly to the world, bypassing API rules; not logged as a request.
        </p>
      </Form>
    </Dialog>
  )
}
