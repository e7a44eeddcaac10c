/** What listeners are told about people. The module has nothing of its own: it judges what others say. */
export { hasProvenAddress } from './proof.ts'
export { type Listener, subjectFor, type Told, toldTo } from './told.ts'
