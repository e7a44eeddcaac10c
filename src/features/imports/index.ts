/**
 * Imports: adds thousands of human users, each exactly like AddHumanUser (`http` reads the stream of requests), and remembers
 * how far another product has been read that is still in use.
 */
import { stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { importMarks } from './marks.ts'
import { importRefusals } from './refusals.ts'

export const importsModule = module({
  name: 'imports',
  kinds: stays('How far another product was followed: the new database follows nobody.', importMarks),
  refusals: importRefusals,
})

export { beginImport, type ImportHuman } from './handlers/import-human.ts'
export { type FollowProblem, type ImportMark, listImportMarks, readImportMark, setImportMark } from './marks.ts'
export { importRefusals } from './refusals.ts'
