import { isObject } from '../../../utils/json.ts'
import { byStatus, errorForm, NoSuchValue, paths, Unclear } from '../requests.ts'
import type { Probes } from '../round.ts'
import { anyAnnotation } from './service.ts'

/** Probes of annotations. All but one write annotations of their own. */
export const annotationProbes: Probes = {
  'annotations.search.reach': {
    shows: 'the status of an annotation with a search that it does not match',
    unless: 'The project has no annotation, and writes are not allowed.',
    async observe(round) {
      const { id } = await anyAnnotation(round)
      const key = round.keys.for('annotation:read')
      const search = `nowhere${round.observer.options.marker}`
      const answer = await round.get(paths.annotation, { key, id, query: { search } })
      return byStatus(answer, { 200: 'list', 404: 'every_lookup' })
    },
  },
  'annotations.creation_type.values': {
    shows: 'the status of an unknown value',
    writes: true,
    async observe(round) {
      const answer = await round.change('annotation', {
        body: { creation_type: `UNDERSTUDY_${round.number}` },
      })
      return byStatus(answer, { 200: 'any', 400: 'observed' })
    },
  },
  'annotations.scope.values': {
    shows: 'the statuses of `dashboard`, of `tag` and of an unknown value',
    writes: true,
    async observe(round) {
      const accepts = async (scope: string): Promise<boolean> =>
        byStatus(await round.change('annotation', { body: { scope } }), { 200: true, 400: false })
      if (!(await accepts('dashboard'))) return 'may_2024'
      if (!(await accepts(round.number === 1 ? 'tag' : 'recording'))) return 'july_2024'
      return (await accepts(`understudy_${round.number}`)) ? 'any' : 'ever_seen'
    },
  },
  'annotations.deleted.visibility': {
    shows: 'GET of an own annotation that was created as deleted, and a search for it',
    writes: true,
    async observe(round) {
      const { own, options } = round.observer
      const alive = await own.annotation(round)
      const id = await own.annotation(round, true)
      const key = round.keys.for('annotation:read')
      const answer = await round.get(paths.annotation, { key, id })
      const isRetrieved = byStatus(answer, { 200: true, 404: false })
      if (isRetrieved && !(isObject(answer.body) && answer.body.deleted === true)) {
        throw new NoSuchValue('A deleted annotation was returned as if it were not deleted.')
      }
      const query = { search: options.marker, limit: 50 + round.number }
      const list = await round.send('GET', paths.annotations, { key, query })
      byStatus(list, { 200: true })
      const results =
        isObject(list.body) && Array.isArray(list.body.results) ? list.body.results : []
      const ids = results.filter(isObject).map(({ id }) => id)
      if (!ids.includes(alive)) throw new Unclear('The search does not find an own annotation.')
      if (isRetrieved) return ids.includes(id) ? 'listed' : 'retrievable'
      if (!ids.includes(id)) return 'hidden'
      throw new NoSuchValue('A deleted annotation is listed, but not returned.')
    },
  },
  'annotations.restore': {
    shows: 'the status of PATCH with deleted: false for a deleted annotation',
    writes: true,
    async observe(round) {
      const { own } = round.observer
      const id = await own.annotation(round, true)
      const key = round.keys.for('annotation:write')
      // The second round changes nothing, which saves its removal.
      const deleted = round.number === 2
      if (!deleted) own.restored(id)
      const answer = await round.send('PATCH', paths.annotation, { key, id, body: { deleted } })
      const value = byStatus(answer, { 200: 'restores', 404: 'not_found' })
      if (value === 'not_found') own.forget('annotation', id)
      return value
    },
  },
  // A server may delete the row, so this is the last one.
  'annotations.delete.status': {
    shows: 'the response to DELETE of an own annotation',
    writes: true,
    unless: 'All errors are empty.',
    async observe(round) {
      const id = await round.observer.own.annotation(round)
      const key = round.keys.for('annotation:write')
      const answer = await round.sendAny('DELETE', paths.annotation, { key, id })
      const isEmpty = errorForm(answer) === 'empty'
      const value = byStatus(answer, { 403: '403', 404: '404', 405: isEmpty ? '405_empty' : '405' })
      if (isEmpty && value === '405_empty') {
        if (!round.observer.errorForms.has('empty')) return value
        throw new Unclear('All errors of this server are empty.')
      }
      round.observer.checkForm(answer, paths.annotation)
      return value
    },
  },
}
