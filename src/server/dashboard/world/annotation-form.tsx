import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../../world/world-json.ts'
import { useProjects, useVocabulary } from '../kit/context.ts'
import { Dialog } from '../kit/dialog.tsx'
import { bindFields, FormError, useSubmit } from '../kit/form.tsx'
import type { RowActions } from './use-rows.ts'

interface AnnotationFormProps {
  /** The row to edit. A row without an id is created. */
  readonly row: Partial<AnnotationJson>
  readonly actions: RowActions<'annotations'>
  readonly onClose: () => void
}

/** The dialog that creates or edits an annotation. */
export function AnnotationForm({ row, actions, onClose }: AnnotationFormProps) {
  const projects = useProjects()
  const vocabulary = useVocabulary()
  const [draft, setDraft] = useState({
    content: row.content ?? '',
    date_marker: row.date_marker ?? '',
    scope: row.scope ?? 'project',
    project: row.project === undefined ? '' : String(row.project),
  })
  const field = bindFields(draft, setDraft)
  const project = draft.project === '' ? projects[0]?.id : Number(draft.project)
  const { submit, error } = useSubmit(async () => {
    const { content, date_marker, scope } = draft
    // Only changed fields are sent: a request of the client may change the others meanwhile.
    const changes = {
      ...(content !== (row.content ?? '') && { content: content || null }),
      ...(date_marker !== (row.date_marker ?? '') && { date_marker: date_marker || null }),
      ...(scope !== row.scope && { scope }),
      ...(project !== undefined && project !== row.project && { project }),
    }
    if (row.id === undefined) {
      await actions.create(changes)
      return 'Row added.'
    }
    await actions.update(row.id, changes)
    return `Annotation ${row.id} saved.`
  }, onClose)
  return (
    <Dialog
      title={row.id === undefined ? 'New annotation' : `Edit annotation ${row.id}`}
      onClose={onClose}
    >
      <form class="fields" onSubmit={submit}>
        <label>
          Content
          <textarea rows={3} {...field('content')} />
        </label>
        <label>
          Date marker
          <input placeholder="2024-06-01T12:00:00Z (optional)" {...field('date_marker')} />
        </label>
        <label>
          Scope
          <select {...field('scope')}>
            {(vocabulary?.annotation_scopes ?? [draft.scope]).map((scope) => (
              <option key={scope}>{scope}</option>
            ))}
          </select>
        </label>
        <label>
          Project
          <select {...field('project')} value={String(project ?? '')}>
            {projects.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name} ({id})
              </option>
            ))}
          </select>
        </label>
        <p class="dim">
          Saved directly to the world, bypassing API rules; not logged as a request.
        </p>
        <FormError error={error} />
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}
