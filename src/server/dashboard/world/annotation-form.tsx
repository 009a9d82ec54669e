import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../../world/world-json.ts'
import { useProjects, useVocabulary } from '../kit/context.ts'
import { Dialog } from '../kit/dialog.tsx'
import type { RowActions } from './use-rows.ts'

interface AnnotationFormProps {
  /** The row that is edited; one without an id is added. */
  readonly row: Partial<AnnotationJson>
  readonly actions: RowActions<'annotations'>
  readonly onClose: () => void
}

/** Edits an annotation, or adds one. */
export function AnnotationForm({ row, actions, onClose }: AnnotationFormProps) {
  const [content, setContent] = useState(row.content ?? '')
  const [marker, setMarker] = useState(row.date_marker ?? '')
  const [scope, setScope] = useState(row.scope ?? 'project')
  const projects = useProjects()
  const words = useVocabulary()
  const [chosen, setProject] = useState(row.project)
  const project = chosen ?? projects[0]?.id
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = {
      ...(content !== (row.content ?? '') && { content: content === '' ? null : content }),
      ...(marker !== (row.date_marker ?? '') && { date_marker: marker === '' ? null : marker }),
      ...(scope !== row.scope && { scope }),
      ...(project !== undefined && project !== row.project && { project }),
    }
    const isDone =
      row.id === undefined
        ? await actions.create(fields)
        : await actions.update(row.id, fields, `Saved annotation ${row.id}.`)
    if (isDone) onClose()
  }
  return (
    <Dialog
      title={row.id === undefined ? 'Add an annotation' : `Annotation ${row.id}`}
      onClose={onClose}
    >
      <form class="fields" onSubmit={save}>
        <label>
          Content
          <textarea
            rows={3}
            value={content}
            onInput={({ currentTarget }) => setContent(currentTarget.value)}
          />
        </label>
        <label>
          Date marker
          <input
            placeholder="2024-06-01T12:00:00Z, or nothing"
            value={marker}
            onInput={({ currentTarget }) => setMarker(currentTarget.value)}
          />
        </label>
        <label>
          Scope
          <select value={scope} onChange={({ currentTarget }) => setScope(currentTarget.value)}>
            {(words?.annotation_scopes ?? [scope]).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Project
          <select
            value={String(project ?? '')}
            onChange={({ currentTarget }) => setProject(Number(currentTarget.value))}
          >
            {projects.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {id} {name}
              </option>
            ))}
          </select>
        </label>
        <p class="dim">Written straight into the world: no request, no key, no policy.</p>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}
