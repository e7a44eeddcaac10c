/** Every sentence of the hosted pages, in Japanese. */
import { accountTexts } from './account/ja.ts'
import { applicationTexts } from './applications/ja.ts'
import { approvalTexts } from './approvals/ja.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/ja.ts'
import { methodTexts } from './methods/ja.ts'
import { personalTexts } from './personal/ja.ts'
import { signInTexts } from './sign-in/ja.ts'

export const ja: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: '言語',
  summary: '問題が発生しました',
  start: {
    title: 'ようこそ',
    lead: 'ログインすると、アカウント、パスキー、利用中のアプリを管理できます。',
    forgotten: 'パスワードをお忘れですか？',
    api: 'APIリファレンス（OpenAPI）',
    inbox: '開発用受信トレイ',
    health: 'サーバーの状態',
    developers: '開発者・運用担当者向け',
  },
  verifyEmail: {
    title: 'メールアドレスの確認',
    lead: 'このメールアドレスがご自身のものであることを確認してください。',
    code: '確認コード',
    codeMissing: 'メールに記載された確認コードを入力してください。',
    button: 'メールアドレスを確認する',
    done: 'メールアドレスを確認しました',
    doneText: 'ありがとうございます。このページを閉じてもかまいません。',
  },
  password: {
    resetTitle: '新しいパスワードの設定',
    resetLead: '新しいパスワードは現在のパスワードと置き換わります。ログインにはパスキーも使えます。',
    inviteTitle: '招待の承諾',
    inviteLead:
      'パスワードを設定するかパスキーを使って、アカウントの設定を完了してください。同時にメールアドレスも確認されます。',
    setupTitle: 'Signetのセットアップ',
    recoverTitle: 'アカウントを復旧',
    setupLead: '管理者アカウントのパスワードを設定するか、パスキーを使ってください。',
    first: '新しいパスワード',
    second: 'パスワード（再入力）',
    missing: 'パスワードを入力してください。',
    different: 'パスワードが一致しません。',
    resetButton: 'パスワードを設定',
    inviteButton: '招待を承諾',
    setupButton: 'パスワードを設定',
    rules: 'パスワードの条件',
    atLeast: (count) => `${count}文字以上`,
    needsLowercase: '英小文字を含む',
    needsUppercase: '英大文字を含む',
    needsNumber: '数字を含む',
    needsSymbol: '記号（! や ? など）を含む',
    notCommon: 'よく使われるパスワードや、ご自身の名前・メールアドレスではないこと',
    resetDone: 'パスワードを設定しました',
    resetDoneText: '次回のログインから新しいパスワードを使ってください。このページを閉じてもかまいません。',
    inviteDone: 'アカウントの準備ができました',
    inviteDoneText: 'パスワードを設定し、メールアドレスを確認しました。このページを閉じてもかまいません。',
  },
  flaws: {
    too_short: (least) => `パスワードは${least}文字以上にしてください。`,
    too_long: (_least, most) => `パスワードは${most}文字以内にしてください。`,
    no_lowercase: () => 'パスワードには英小文字を含めてください。',
    no_uppercase: () => 'パスワードには英大文字を含めてください。',
    no_number: () => 'パスワードには数字を含めてください。',
    no_symbol: () => 'パスワードには記号を含めてください。',
    common: () => 'このパスワードはよく使われているため設定できません。別のパスワードにしてください。',
    own_name: () => 'このパスワードは名前またはメールアドレスに似すぎています。別のパスワードにしてください。',
  },
  setupEmail: {
    lead: 'メールアドレスを入力してください。確認用のメールが届きます。',
    label: 'メールアドレス',
    wrong: '有効なメールアドレスを入力してください。',
    button: '続ける',
  },
  setupDone: {
    title: 'セットアップが完了しました',
    name: (userName) => `ユーザー名は「${userName}」です。パスワードが設定され、ログインしています。`,
    next: '次のステップ',
    console: 'ユーザー、組織、プロジェクト、アプリはコンソールで管理できます。',
    token:
      'APIクライアントは、データフォルダーのファイルadmin.patにあるトークンでログインします。トークンは秘密にしてください。',
    mail: 'メールサーバーを設定するまで、すべてのメールは開発用受信トレイに届きます。',
    api: 'コンソールでできることは、すべてAPIでもできます。',
  },
  forgotten: {
    title: 'パスワードの再設定',
    lead: 'ユーザー名またはメールアドレスを入力してください。パスワード再設定用のリンクをメールでお送りします。',
    name: 'ユーザー名またはメールアドレス',
    missing: 'ユーザー名またはメールアドレスを入力してください。',
    button: 'リンクを送信',
    closed: 'ここではパスワードを再設定できません。管理者にお問い合わせください。',
  },
  sent: {
    title: 'メールをご確認ください',
    text: '該当するアカウントがある場合は、数分以内にリンクを記載したメールが届きます。迷惑メールフォルダーもご確認ください。',
    again: 'メールが届かない場合は、入力内容を確認してもう一度お試しになるか、管理者にお問い合わせください。',
  },
  stale: {
    title: 'このリンクは無効です',
    text: '有効期限が切れているか、すでに使用されたか、新しいリンクに置き換えられています。新しいリンクを請求してください。',
    button: '新しいリンクを送信',
    setupText:
      '有効期限が切れているか、すでに使用されたか、新しいリンクに置き換えられています。新しいリンクを作成するには、サーバーで「signet setup-link」を実行してください。アカウントが設定済みの場合は「signet admin recover」を実行してください。',
  },
  incomplete: {
    title: 'このリンクは不完全です',
    text: 'メールアプリによっては長いリンクが途中で切れます。メールのリンク全体をコピーしてアドレスバーに貼り付けてください。',
  },
  busy: {
    title: 'もう一度お試しください',
    text: 'サーバーが混み合っています。数秒後にもう一度お試しください。',
  },
  notFound: {
    title: 'ページが見つかりません',
    text: 'アドレスを確認してください。ページが移動または削除された可能性があります。',
  },
  notAllowed: { title: '許可されていないリクエスト', text: 'このページはこの種類のリクエストに対応していません。' },
  crossSite: {
    title: 'リクエストをブロックしました',
    text: 'フォームが別のサイトから送信されたため、何も変更していません。ページまたはメールのリンクをもう一度開いてください。',
  },
  unreadable: {
    title: '無効なリクエスト',
    text: 'フォームを読み取れないか、サイズが大きすぎます。前のページに戻ってもう一度お試しください。',
  },
  fault: {
    title: '問題が発生しました',
    text: 'サーバー側でエラーが発生しました。数分後にもう一度お試しください。',
  },
  signInFailed: {
    title: 'ログインできませんでした',
    text: 'ログインに時間がかかりすぎたか、すでに完了しています。アプリに戻ってもう一度やり直してください。',
  },
  home: 'ホームに移動',
  inbox: {
    title: '開発用受信トレイ',
    lead: 'メールサーバーが設定されていないため、すべてのメールはここに届きます。このページはこのコンピューターでのみ表示できます。',
    locked:
      'サーバーの起動時に表示される受信トレイのリンクを開いてください。キーはデータフォルダーのファイル「inbox-key」にあります。',
    empty: 'メールはまだありません。',
    to: '宛先',
    at: '日時',
    back: 'すべてのメール',
    asText: 'テキスト形式',
    body: 'メールの内容',
  },
}
