/** The picture of a person: uploaded, shown and removed. */
import { html } from 'htm/preact'
import { changeOwnPicture, readAccount } from '../../../features/account/index.ts'
import { ASSET_USES } from '../../../features/assets/index.ts'
import { PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { fieldsScript, form, headline, type Mistake, mistakeSummary } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'
import { actionPage, backToAccount, showNotDone } from './actions.ts'

const { maxBytes } = ASSET_USES.portrait

function showPicture(visit: Visit, picture: string | undefined, mistakes: readonly Mistake[] = []): Shown {
  const { texts, lang } = visit
  const words = texts.picture
  const [mistake] = mistakes
  return {
    status: mistake === undefined ? 200 : 422,
    title: words.title,
    content: html`
      ${mistakeSummary(texts, mistakes)}
      ${headline(words.title)}
      ${picture !== undefined && html`<p><img class="portrait" src=${picture} alt=${words.alt} /></p>`}
      <form method="post" action=${PATHS.picture} enctype="multipart/form-data">
        ${lang !== undefined && html`<input type="hidden" name="lang" value=${lang} />`}
        <div class=${mistake === undefined ? 'field' : 'field wrong'}>
          <label for="file">${words.file}</label>
          <input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp" required aria-describedby="file-help" data-max-bytes=${maxBytes} />
          <p class="note" id="file-help">${words.help}</p>
        </div>
        <button type="submit">${words.save}</button>
      </form>
      ${fieldsScript()}
      ${picture !== undefined && form(PATHS.picture, { do: 'remove', lang }, words.remove, undefined, 'quiet')}
      <p class="aside"><a href=${PATHS.account}>${texts.account.back}</a></p>
    `,
  }
}

export function picturePage(tools: PageTools): PagePlan {
  const { app } = tools
  const plan = actionPage(tools, {
    path: PATHS.picture,
    needsRecentSignIn: false,
    async get(visit, person) {
      return showPicture(visit, (await readAccount(app, person)).picture)
    },
    async post(visit, person, fields) {
      const isRemoval = fields.get('do') === 'remove'
      const mistakes = [{ field: 'file', sentence: visit.texts.picture.wrong }]
      if (!isRemoval && visit.file === undefined) return showPicture(visit, undefined, mistakes)
      const changed = await changeOwnPicture(app, person, isRemoval ? undefined : visit.file)
      if (changed.outcome === 'done') return backToAccount(visit, isRemoval ? 'removed' : 'saved')
      return changed.outcome === 'mistaken' ? showPicture(visit, undefined, mistakes) : showNotDone(visit, changed)
    },
  })
  return { ...plan, maxFileBytes: maxBytes }
}
