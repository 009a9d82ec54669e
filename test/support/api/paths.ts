/** The default time of tests. */
export const noon = '2024-06-15T12:00:00Z'

/** The annotations of the first project of the world `default`, and the first of them. */
export const annotationsPath = '/api/projects/1/annotations/'
export const annotationPath = `${annotationsPath}1/`

/** The organization of the world `default`. */
export const acme = '018f2b6e-0000-7000-8000-00000000000a'

/** The plugins of this organization. */
export const pluginsPath = `/api/organizations/${acme}/plugins/`

/** A second organization, in worlds that have one. */
export const initech = '018f2b6e-0000-7000-8000-00000000000b'
