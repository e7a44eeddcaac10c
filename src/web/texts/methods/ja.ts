/** The sentences about turning ways to sign in on and off, and the names of buttons, in Japanese. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser}（${system}）`,
    signOutOf: (device) => `ログアウト: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'コードの入力',
    lead: (target) =>
      `確認コードを${target}にお送りしました。この方法をオンにするには、コードを入力してください。有効期間は5分です。`,
    code: '確認コード',
    button: 'オンにする',
    again: '新しいコードを送信',
    missing: 'コードを入力してください。',
    refused:
      'コードが正しくないか、有効期限が切れているか、すでに使用されています。新しいコードでもう一度お試しください。',
    noTexts: 'ここではSMSを利用できません',
  },
  removal: {
    remove: (name) => `「${name}」を削除しますか？`,
    turnOff: (name) => `「${name}」をオフにしますか？`,
    lead: 'この方法ではログインできなくなります。',
    factorLead: '二段階目の認証がないと、アカウントの安全性が下がります。',
    cancel: 'キャンセル',
  },
  othersEnded: '他のすべてのセッションからログアウトしました。',
}
