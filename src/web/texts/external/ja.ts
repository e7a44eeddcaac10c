/** The sentences of signing in with identity providers, in Japanese. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: '外部プロバイダー',
    signInWith: (name) => `${name}で続ける`,
    more: 'その他のログイン方法',
    goOnWith: (name) => `${name}で続ける`,
    failed: {
      title: (name) => `${name}でログインできませんでした`,
      text: '時間がかかりすぎたか、すでに完了しているか、ここでは許可されていません。何も変更されていません。もう一度お試しください。',
    },
    cancelled: {
      title: (name) => `${name}でのログインをキャンセルしました`,
      text: '何も変更されていません。もう一度お試しになるか、別の方法でログインしてください。',
    },
    unavailable: {
      title: (name) => `${name}でのログインは利用できません`,
      text: 'プロバイダーが正しく応答していません。数分後にもう一度お試しになるか、別の方法でログインしてください。',
    },
    taken: {
      title: 'このアカウントはすでに連携されています',
      text: (name, account) =>
        `${name}アカウント「${account}」は別のユーザーと連携されています。このアカウントでログインするには、先にログアウトしてください。`,
    },
    unlinked: {
      title: (name) => `この${name}アカウントはここでは使用できません`,
      text: (name, account) =>
        `${name}アカウント「${account}」はどのユーザーとも連携されていません。管理者にアクセス権を依頼してください。`,
    },
    back: 'ログインに戻る',
    link: {
      title: (name) => `${name}アカウントを連携しますか？`,
      lead: (name, account, userName) =>
        `${name}アカウント「${account}」でログインしました。連携すると、このアカウントを使える人は誰でも「${userName}」としてログインできます。`,
      yes: 'アカウントを連携',
      no: 'キャンセル',
    },
    welcome: {
      title: 'ようこそ',
      lead: (name, account) => `${name}アカウント「${account}」でログインしました。`,
      register: '内容を確認してアカウントを作成してください。',
      firstName: '名',
      lastName: '姓',
      userName: 'ユーザー名',
      email: 'メールアドレス',
      button: 'アカウントを作成',
      firstNameWrong: '有効な名を入力してください。',
      lastNameWrong: '有効な姓を入力してください。',
      userNameWrong:
        'このユーザー名は使用できません。別のユーザー名にしてください。メールアドレスはご自身のものに限り使用できます。',
      emailWrong: '有効なメールアドレスを入力してください。',
      known: 'すでにアカウントをお持ちですか？',
      knownText: '先にそのアカウントにログインしてください。その後、両方のアカウントを連携できます。',
      knownOnly:
        'ここで使用するには、先に既存のアカウントにログインしてください。その後、両方のアカウントを連携できます。',
      signIn: '既存のアカウントにログイン',
    },
    account: {
      title: '連携アカウント',
      lead: '他のプロバイダーのアカウントでログインできます。',
      off: '現在利用できません',
      link: (name) => `${name}と連携`,
      more: 'その他のプロバイダー',
      other: '別のアカウントでログイン',
    },
  },
}
