import { toOptions, useRowNames, useVocabulary } from '../kit/context.ts'
import { Checkbox, DateTimeField, Input, Select, useFields } from '../kit/fields.tsx'
import { RowDialog, type RowFormProps } from './rows.tsx'

type Editable = Exclude<keyof RowFormProps<'annotations'>['row'], 'id' | 'updated_at'>

const ids = ['project', 'created_by', 'dashboard_item']

/** The dialog that creates or edits an annotation. */
export function AnnotationForm({ page, row }: RowFormProps<'annotations'>) {
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
      value === '' ? null : ids.includes(name) ? Number(value) : value
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
