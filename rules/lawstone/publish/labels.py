"""What the site itself says, in each of its languages: one table, so that a missing word is seen at once."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES: Mapping[str, str] = {"en": "English", "cs": "Čeština", "zh": "中文"}
"""The languages of the site, each named in itself."""

_TABLE = """
site | Lawstone: the rules, checked | Lawstone: ověřená pravidla | Lawstone：经过核对的规则
tagline | Rules of board games as data. Every example on these pages is a test that holds. | Pravidla deskových her jako data. Každý příklad na těchto stránkách je zkouška, která platí. | 把棋类规则写成数据。本站每个例子都是通过了的测试。
skip | Skip to the text | Přejít k textu | 跳到正文
games | Games | Hry | 棋类
rules | Rules | Pravidla | 规则
questions | Questions | Otázky | 疑问
play | Play here | Zahrát si | 在此对弈
variants | Variants | Varianty | 变体
summary | On one page | Na jednu stránku | 一页概要
sources | Sources | Prameny | 出处
statistics | Statistics | Statistika | 统计
claims | Claims and proofs | Tvrzení a důkazy | 命题与证明
glossary | Glossary | Slovník pojmů | 术语
docs | Toolkit documentation | Dokumentace nástroje | 工具文档
search | Search the rules | Hledat v pravidlech | 搜索规则
search-none | Nothing found. | Nic nenalezeno. | 没有找到。
search-help | Words in any order; Czech also without diacritics. | Slova v libovolném pořadí, i bez diakritiky. | 可输入任意词，次序不限。
theme | Light or dark | Světlý či tmavý vzhled | 浅色或深色
languages | Language | Jazyk | 语言
contents | On this page | Na této stránce | 本页内容
authentic | authentic text | závazné znění | 以此语言文本为准
authentic-is | The text that decides is the one in {language}. | Rozhoduje znění v jazyce: {language}. | 以{language}文本为准。
translated | This page is a translation of the text in {language}. | Tato stránka je překlad, výchozí jazyk: {language}. | 本页译自{language}文本。
stale | This translation is out of date: the text that it was made from has changed since. | Tento překlad není aktuální: výchozí znění se od té doby změnilo. | 此译文已过时：所依据的文本后来有改动。
unstamped | This translation does not say which text it was made from. | Tento překlad neuvádí, z kterého znění vznikl. | 此译文没有注明译自哪一版文本。
fallback | Not yet translated; shown in {language}. | Dosud nepřeloženo; jazyk znění: {language}. | 尚无译文，以下为{language}。
version | rules version {n} | verze pravidel {n} | 规则第 {n} 版
setup | Before the game | Před hrou | 开局前
definitions | Definitions | Vymezení pojmů | 定义
turn | The turn | Tah | 回合
captures | Captures and removals | Braní a odebírání | 吃子与去子
opening | Openings and phases | Zahájení a fáze | 开局与阶段
endings | How the game ends | Konec hry | 终局
events | Clock and agreements | Čas a dohody | 计时与约定
other-rules | Rules of variants and of other readings | Pravidla variant a jiných výkladů | 变体与其他解读的规则
notes | Notes | Poznámky | 附注
example | Example | Příklad | 例
examples | Examples | Příklady | 例子
moves-exact | Legal here, and nothing else | Přípustné tahy, a žádné jiné | 此处合法的着法仅有
legal | Legal | Přípustné | 合法
illegal | Not allowed | Nepřípustné | 不合法
forbidden-by | by | podle | 依据
count | {n} legal moves | počet přípustných tahů: {n} | 共有 {n} 种合法着法
played | Played | Zahráno | 走
after | After | Po tazích | 走过
goes-on | The game goes on. | Hra pokračuje. | 对局继续。
wins | {player} wins | vyhrává {player} | {player} 胜
drawn | The game is drawn | Remíza | 和棋
no-rule | The rules do not say what happens | Pravidla neříkají, co dál | 规则没有说怎么办
acts | To act | Na tahu | 轮到
enters | Phase | Fáze | 阶段
over | The game is over | Konec hry | 对局结束
in-variant | in the variant {name} | ve variantě {name} | 变体：{name}
in-reading | under the reading {name} | při výkladu {name} | 解读：{name}
clause | As the toolkit understands it | Jak tomu rozumí nástroj | 工具的理解
clause-note | Made from the clause itself, in the language of the game files. | Odvozeno přímo z pravidla, v jazyce herních souborů. | 由规则条文本身生成，用规则文件的语言写成。
parts | Line by line | Po částech | 逐项
all-of | all of | vše z | 全部满足
any-of | any of | cokoli z | 任一满足
first-of | the first that offers a site | první, které nabízí místo | 第一个给出位置的
says-source | Sources of this rule | Prameny pravidla | 本条出处
sentence | sentence {n} | věta {n} | 第 {n} 句
vectors | Examples that touch it | Příklady, které se ho dotýkají | 涉及本条的例子
status | What has been shown | Co bylo ukázáno | 已知结论
repeat | Repeat it | Zopakovat | 重复验证
about | Questions about it | Otázky k pravidlu | 有关疑问
permalink | Permanent link to {id} | Trvalý odkaz na {id} | {id} 的固定链接
same-rule | The same rule in | Totéž pravidlo: | 同一条规则：
json | As data | Jako data | 数据
open | open | otevřená | 未决
settled | settled | rozhodnutá | 已定
differs | sources differ | prameny se liší | 出处不一
settled-by | Settled by | Rozhoduje | 依据
but | but not in | avšak ne v | 但不包括
differs-in | Sources that contradict one another | Prameny, které si odporují | 互相矛盾的出处
ruled | Ruled: {answer}, by {by}, {when} | Rozhodnuto: {answer}, {by}, {when} | 裁定：{answer}，{by}，{when}
base-answer | as read here | zde přijatý výklad | 本站采用
answers | Readings | Výklady | 各种解读
changes | It changes | Mění | 改动
part-here | Where the readings part | Kde se výklady rozcházejí | 解读分歧之处
after-moves | The game to the parting | Partie až k rozdílu | 到分歧为止的着法
shortest | No shorter game shows it | Kratší partie to neukáže | 没有更短的对局能显示
not-shortest | Not shown to be the shortest | Není ukázáno, že je nejkratší | 未证明是最短
legend-ab | A triangle: legal under A only. A square: under B only. A disc: under both. | Trojúhelník: jen podle A. Čtverec: jen podle B. Kolečko: podle obou. | 三角：仅 A 合法；方块：仅 B 合法；圆：两者都合法。
reading-a | Reading A | Výklad A | 解读 A
reading-b | Reading B | Výklad B | 解读 B
both-readings | Both | Oba | 两者
differ | they differ in play | liší se ve hře | 对局中有差别
same-bounded | no difference found so far | rozdíl zatím nenalezen | 目前没有发现差别
same-proved | proved the same | dokázáno, že jsou stejné | 已证明相同
unknown | not decided | nerozhodnuto | 未定
gap | a gap in the rules | mezera v pravidlech | 规则的空白
not-recorded | Nothing has been recorded yet. | Zatím není nic zaznamenáno. | 尚无记录。
question-count | {open} open or differing, {settled} settled | otevřených či sporných: {open}, rozhodnutých: {settled} | 未决或不一 {open}，已定 {settled}
filter-all | All | Všechny | 全部
base-game | The base game | Základní hra | 基本规则
variant-changes | What it changes | Co mění | 改动之处
differ-at | A position where it differs from the base game | Pozice, ve které se liší od základní hry | 与基本规则不同的局面
legal-base | Legal in the base game | Přípustné v základní hře | 基本规则合法
legal-variant | Legal in the variant | Přípustné ve variantě | 变体合法
what | Says | Říká | 内容
where | Where | Kde | 出处
kind | Kind | Druh | 类别
read-on | Read on | Čteno | 阅读日期
coverage | Every sentence of the founding text | Každá věta výchozího textu | 原始文本逐句
coverage-note | Each sentence is told in the project's own words, with what became of it. | Každá věta je vyjádřena vlastními slovy, s tím, co z ní vzešlo. | 每句用本项目自己的话转述，并注明归属。
is-rule | rule | pravidlo | 规则
is-example | example | příklad | 例子
is-question | question | otázka | 疑问
is-repetition | repetition | opakování | 重复
is-not-a-rule | not a rule | není pravidlo | 非规则
games-played | {n} random games, every legal move equally likely, seed {seed} | {n} náhodných partií, každý přípustný tah stejně pravděpodobný, semínko {seed} | {n} 局随机对局，每种合法着法概率相等，种子 {seed}
plot-length | Length of a game, in turns | Délka partie v tazích | 每局回合数
plot-outcome | Who wins | Kdo vyhrává | 胜负
plot-ending | How it ends | Čím partie končí | 终局方式
plot-branching | Legal moves by turn | Počet přípustných tahů podle tahu | 各回合的合法着法数
plot-games | games | partií | 局
cut | cut short | přerušeno | 中止
verdict | Verdict | Závěr | 结论
claim | Claim | Tvrzení | 命题
method | How it is known | Odkud to víme | 依据方法
misreadings | Likely mistakes, and the games that catch them | Pravděpodobné omyly a partie, které je odhalí | 可能的误读与能发现它们的对局
findings | Recorded findings | Zaznamenané nálezy | 已记录的发现
no-claims | No claims have been recorded for this game yet. | K této hře zatím nejsou zaznamenána žádná tvrzení. | 本棋尚未记录任何命题。
need-script | Playing needs scripts; everything else on this site works without them. | Hraní potřebuje skripty; vše ostatní zde funguje i bez nich. | 对弈需要脚本；本站其他内容不需要。
play-intro | Click a marked site. On a site that is not allowed you are told which rule forbids it. | Klepněte na vyznačené místo. U nepřípustného místa se dozvíte, které pravidlo ho zakazuje. | 点击有标记的位置。点到不合法的位置时，会告诉您是哪条规则禁止的。
play-keys | With the keyboard: arrow keys move over the board, Enter picks. | Klávesnicí: šipky procházejí deskou, Enter vybírá. | 键盘：方向键移动，回车选择。
new-game | New game | Nová partie | 新对局
undo | Take back | Vzít zpět | 悔棋
random | Random move | Náhodný tah | 随机一着
done | Done | Hotovo | 完成
first | Start | Začátek | 开头
back | Back | Zpět | 后退
next | Next | Dále | 前进
last | End | Konec | 末尾
step-of | position {n} of {of} | pozice {n} z {of} | 局面 {n}/{of}
show-legal | Show legal moves | Ukázat přípustné tahy | 显示合法着法
pick-option | Choose | Vyberte | 请选择
pick-sites | {n} to pick | zbývá vybrat: {n} | 还要选 {n} 个
moves | Moves | Tahy | 着法
empty-board | the board is empty | deska je prázdná | 棋盘为空
on | on | na | 在
size | Board | Deska | 棋盘
all-rules | All rules | Všechna pravidla | 全部规则
index-intro | Each rule has a permanent address. Beside it stand examples, sources, the questions it leaves open, and what has been shown. | Každé pravidlo má trvalou adresu. Vedle něj stojí příklady, prameny, otázky, které nechává otevřené, a co o něm bylo ukázáno. | 每条规则都有固定的地址，旁边有例子、出处、遗留的疑问和已知的结论。
term | Term | Pojem | 术语
means | Meaning | Význam | 含义
used-in | Used in | Užito v | 见于
not-checked | NOT CHECKED: this page has faults, see the builder's output. | NEOVĚŘENO: tato stránka má chyby, viz výpis překladače. | 未通过核对：本页有错误，见构建输出。
footer | Rule text, examples and diagrams are made from one game file, and the examples have been run against it. | Text, příklady a obrázky vznikají z jednoho herního souboru a příklady na něm byly vyzkoušeny. | 文字、例子和图都出自同一规则文件，例子已按该文件逐一运行。
pieces | Pieces | Kameny a figury | 棋子
players | Players | Hráči | 对局者
how-to-win | How the game is decided | Jak se hra rozhodne | 胜负
your-turn | What a turn is | Co je tah | 一个回合
changelog | Changes of the rules | Změny pravidel | 规则的变更
no-changes | This is the first published version. | Toto je první vydaná verze. | 这是第一个发布的版本。
changes-intro | Positions that the earlier version and this one answer differently. | Pozice, na které starší a tato verze odpovídají různě. | 旧版与新版给出不同答案的局面。
redirect | Choose a language | Zvolte jazyk | 选择语言
own-by-id | id | id | 编号
"""

LABELS: Mapping[str, Mapping[str, str]] = {
    key: dict(zip(LANGUAGES, said, strict=True))
    for key, *said in ([cell.strip() for cell in line.split(" | ")] for line in _TABLE.strip().splitlines())
}
"""What is said, by key and language."""


class Labels:
    """The words of one language; unknown keys raise KeyError, so that a template cannot ask for what is not there."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, **values: object) -> str:
        said = LABELS[key][self.language]
        return said.format(**values) if values else said
