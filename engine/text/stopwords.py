"""Stopwords by language: articles, pronouns, prepositions, conjunctions, auxiliaries, question words.

Our own short lists of words that name no subject; number words and words that are often a subject stay terms. They
are written as people write them and compared normalised, so that an accent left out in a note does not matter.
Elided forms (French l', Italian dell') are listed as the tokenizer leaves them.

>>> "which" in STOPWORDS, "every" in STOPWORDS, "two" in STOPWORDS
(True, False, False)
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.settings import LANGUAGES
from engine.text.normalizing import normalize_text

_WRITTEN = {
    "arabic": """
        في من إلى على عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم هن أنا أنت نحن كان كانت يكون تكون أن إن لا
        لم لن ما ماذا متى أين كيف كم هل أو ثم قد كل بعض غير بين عند حتى منذ لكن إذا كما أي أيضا فيه فيها به بها
        له لها منه منها عليه عليها وهو وهي وقد وفي ومن ولا وكان وكانت بعد قبل حيث ليس لماذا و
        """,
    "catalan": """
        a al als amb aquest aquesta aquests aquestes aquell aquella això allò cap com d de del dels des el ella
        elles ells els em en ens entre era eren es és està estan et hi ho i ja jo l la les li llur lo m me meu
        meva més mentre molt n nosaltres o on per perquè però pel pels però qual quals quan què que qui s sense
        ser seu seva seus seves si sobre sota sóc som són t també tan te teu teva tot tots un una uns unes us va
        van vosaltres ha han hem hi havia fer fins no ni
        """,
    "czech": """
        a aby ale ani asi až bez bude budou by byl byla byli bylo být co což či do ho i já jak jako je jeho její
        jejich jen jenž ještě ji jsem jsme jsou jste k kam kde kdo když ke který která které kteří ku má mají me
        mě mezi mi mít mu můj může my na nad nám nás náš ne nebo nebyl není než nic o od on ona oni ono pak po
        pod podle pokud pouze pro proč před přes při protože s se si sice své svůj svých ta tak také takže tam
        te ten tedy teď tento této tím to toho tohoto tom tomu tu tuto ty u už v vám vás váš ve však všechny vy
        z za ze že
        """,
    "danish": """
        af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du
        efter eller en end er et for fordi fra ham han hans har havde have hende hendes her hos hun hvad hvem
        hvilken hvilke hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer jo kan kunne man med meget men mig
        min mine mit må ned noget nogle nu når og også om op os over på sig sin sine sit skal skulle som så
        sådan til ud under var vi vil ville vor være været
        """,
    "dutch": """
        aan af al als alle alles andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge
        geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij kan kon
        kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat ons onze onder
        ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat
        we wel welk welke werd wezen wie wij wil worden wordt ze zelf zich zij zijn zo zonder zou zoals
        """,
    "finnish": """
        ei eivät emme en et että ette hän he hänen heidän ja jo joka joita joiden jolla jonka jos joten jotka
        kanssa keiden kenen ketkä koska kuin kuinka kuka kun kyllä me mikä miksi millä milloin minä minkä missä
        mistä mitä mukaan mutta myös ne niiden niin niitä nämä näiden näitä nyt ole olen olemme olet olette oli
        olivat olla olleet ollut on ovat se sekä sen siitä siinä sillä sinä sitä tai te tähän tämä tämän tässä
        tästä tätä tuo vai vain vaan voi voivat
        """,
    "french": """
        a à ai ainsi alors après as au aucun aussi autre aux avait avant avec avez avoir avons c car ce ceci
        cela celle celles celui ces cet cette ceux chez comme comment d dans de depuis des donc dont du elle
        elles en encore entre est et étaient était étant êtes être eu eux fait faire fut furent il ils j je
        jusque l la là laquelle le lequel les lesquels leur leurs lors lorsque lui m ma mais me même mêmes mes
        moi mon n ne ni nos notre nous on ont ou où par parce pas pendant peut peuvent plus pour pourquoi puis
        qu quand que quel quelle quelles quels qui quoi s sa sans se sera serait ses si soi soit son sont sous
        sur t ta te tes toi ton tous tout toute toutes très tu un une vers voici vos votre vous y
        """,
    "german": """
        ab aber als also am an auch auf aus bei beim bin bis bist da dadurch daher damit dann darum das dass daß
        dazu dein deine dem den denn der deren des deshalb dessen die dies diese diesem diesen dieser dieses
        doch dort du durch ein eine einem einen einer eines er es etwa etwas euch euer eure für gegen gewesen
        hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins
        ist ja jede jedem jeden jeder jedes jedoch jene jener jetzt kann kein keine keinem keinen keiner keines
        können könnte man mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr
        sein seine seinem seinen seiner seit selbst sich sie sind so solche sollen sondern sonst sowie über um
        und uns unser unsere unter vom von vor wann war waren warum was weil weiter welche welchem welchen
        welcher welches wenn wer werde werden weshalb wie wieder will wir wird wo woher wohin wollen worden
        wurde wurden würde während zu zum zur zwar zwischen
        """,
    "greek": """
        ο η το οι τα του της των τον την τη στο στη στην στον στους στις στα και κι να με σε από για που πως ότι
        θα δεν δε μη μην είναι ήταν είμαι είσαι είμαστε έχω έχει έχουν είχε είχαν αν όταν όπου όπως ως ή αλλά
        γιατί τι ποιος ποια ποιο πότε πού πόσο μου σου μας σας τους τις αυτός αυτή αυτό αυτοί αυτές αυτά εγώ εσύ
        εμείς εσείς ένας μια μία ένα κατά μετά πριν προς παρά χωρίς μέχρι επίσης μόνο πολύ πιο κάθε άλλα
        """,
    "hindi": """
        का के की में है हैं और से को पर इस उस कि जो कर ने नहीं तो ही भी या एवं हो था थी थे द्वारा हुआ हुई हुए तक
        साथ लिए लिये यह वह ये वे अपने अपनी अपना इसके इसकी इसका उनके उनकी उनका इन उन जब तब कब कहाँ कैसे क्यों
        क्या कौन कोई कुछ यदि अगर लेकिन किया गया गई जाता जाती होता होती होते रहा रहे रही मैं हम आप तुम मेरा हमारे
        आपके
        """,
    "hungarian": """
        a az azok azt azért abban ahogy ahol aki akik ami amely amelyek amikor annak arra bár be csak de e ebben
        egy egyes el én ennek ezek ezt ez és fel hanem hiszen hogy hogyan ha igen így ill illetve is itt jó ki
        kell kellett le lehet lenne lesz lett maga már meg még mely mert mi miért míg mikor milyen mint mit
        mivel most ne nekem nem nincs ő ők ön ott össze pedig s saját sem se sok számára szemben szerint te
        tehát ti ugyan új után vagy vagyok van vannak volt voltak volna
        """,
    "indonesian": """
        ada adalah agar akan aku anda antara apa apakah atas atau bagaimana bagi bahwa bisa bukan dalam dan
        dapat dari dengan di dia harus hanya hingga ia ini itu jika juga kami kamu kapan karena ke kepada ketika
        kita lagi lebih maka mana masih mengapa mereka namun oleh pada para pun saat saja sampai sangat saya
        sebagai sebelum secara sedang sejak seperti serta setelah siapa sudah supaya tanpa telah tentang
        terhadap tersebut tetapi tidak untuk yaitu yang
        """,
    "italian": """
        a ad agli ai al alla alle allo anche avere aveva avevano c che chi ci ciò col come con cosa cui d da
        dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dove e è ed era erano essere fra
        fu furono gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio ne negli
        nei nel nell nella nelle nello noi non nostra nostro o ogni per perché però più poi può qual quale quali
        quando quanto quella quelle quelli quello questa queste questi questo s sarà se sei si sia siamo sono
        sta stata stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi tra tu tua tuo tutti tutto un
        una uno vi voi
        """,
    "norwegian": """
        alle alt at av ble bli blir da de deg dem den denne der dere deres det dette di din disse du eller en
        enn er et etter for fordi fra ha hadde han hans har hennes henne her hun hva hvem hver hvilken hvilke
        hvis hvor hvordan hvorfor i ikke inn jeg kan kun kunne man med meg meget men mer min mitt mot mye må ned
        noe noen nå når og også om opp oss over på seg si sin sine sitt skal skulle slik som så til ut uten var
        vi vil ville være vært vår ved
        """,
    "persian": """
        و در به از که این را با است برای آن تا بر هم نیز یا اما اگر چه هر ما شما او من تو آنها شد شده شود بود
        بودند باشد می کند کنند کرد دارد دارند نمی نیست خود چون ولی پس همه هیچ یک کی کجا چگونه چرا کدام
        """,
    "polish": """
        a aby albo ale ani aż bardzo bez bo być był była było były będzie będą by cały ci co czy czyli dla
        dlaczego do gdy gdzie go i ich ile im ja jak jako jakie jaki jeden jednak jego jej jest jestem jeszcze
        jeśli jeżeli już każdy kiedy kto która które którego której którym których który którzy ku lub ma mają
        mam mi mnie może można mu my na nad nam nas nasz nie nich nim niż o od on ona one oni oraz po pod
        ponieważ poza przed przez przy sam są się siebie sobie swój swoje ta tak także tam te tego tej temu ten
        to tu twój ty tych tylko tym u w wam was we wszystko więc wy z za ze że żeby
        """,
    "portuguese": """
        a à ao aos as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era
        eram essa essas esse esses esta está estão estas este estes eu foi for foram há isso isto já lhe lhes
        mais mas me mesmo meu meus minha muito na nas não nem no nos nós nossa nosso num numa o onde os ou para
        pela pelas pelo pelos por porque qual quais quando que quem são se sem ser será seu seus só sua suas
        também te tem têm ter teu tinha tu tua um uma umas uns você vocês vos
        """,
    "romanian": """
        a acea aceasta această aceea acei aceia acel acela acele acest acesta aceste acestea acești ai aici al
        ale alt am ar are asta astfel asupra au avea că când care cât ce cea cei cel cele cine cu cum da dacă
        dar de deci decât despre din dintre doar după ea ei el ele era erau este eu eram fără fi fie fiind fost
        i îi îl în între înainte își îți la le li lor lui mai mea mei mele meu mi mult ne nici niște noastră
        nostru noi nu o ori pe pentru peste prin sa să sale sau său se și sînt sub sunt te tot toate toți un una
        unde unei unor unui va vă voi vor
        """,
    "russian": """
        а без бы был была были было быть в вам вас во вот все всё всех вы где да для до его ее её если есть еще
        ещё же за и из или им их к как какая какие какой когда кого кто куда ли мне меня мы на над надо нам нас
        не него нее ней нет ни них но ну о об он она они оно от по под почему при с со сам свой своей свои себя
        так также такой там те тебя тем то тогда того тоже той только том тот ты у уже чего чей чем что чтобы
        эта эти это этого этой этом этот я
        """,
    "spanish": """
        a al algo ante antes aquel aquella aunque como cómo con contra cual cuál cuando cuándo cuyo de del desde
        donde dónde durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está estaba
        están estas este esto estos fue fueron ha había han hasta hay la las le les lo los más me mi mis
        mientras mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque pues
        que qué quien quién quienes se sea ser si sí sido sin sobre sois son soy su sus también tan te tenía
        tiene tienen todo todos tu tus u un una unas uno unos usted ustedes y ya yo
        """,
    "swedish": """
        alla allt att av blev bli blir då de dem den denna deras dess dessa det detta dig din du där efter ej
        eller en er ett från för genom ha hade han hans har hennes hon hos hur här i icke in inte jag kan kunde
        man med mellan men mig min mitt mot mycket måste ni nu någon något några när och också om oss på sedan
        sig sin sina sitt ska skall skulle som så till under upp ut utan vad var varför vara varit vart vem vi
        vid vilka vilken vilket vill vår än är åt över
        """,
    "turkish": """
        ama ancak artık aslında bana bazı belki ben beni benim bile bir biri birkaç biz bizim böyle bu buna
        bunda bundan bunlar bunu bunun burada çok çünkü da daha de defa değil diye eğer en gibi hangi hem hep
        hepsi her hiç için ile ise kadar kendi ki kim kimse mı mi mu mü nasıl ne neden nerede nereye niçin niye
        o olan olarak oldu olduğu olması olur ona ondan onlar onu onun orada sanki sen sizin sonra şey şu tüm
        üzere var ve veya ya yani yok
        """,
}

STOPWORDS: frozenset[str] = frozenset(
    """
    a about above after again against all also am an and any are aren't as at be because been before being below
    between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few
    for from further had hadn't has hasn't have haven't having he he'd he'll her here hers herself him himself his
    how i i'd i'll i'm i've if in into is isn't it it'd it'll its itself just me might more most must mustn't my
    now myself needn't no nor not of off on once only or other ought our ours ourselves out over own same shall shan't
    she she'd she'll should shouldn't so some such than that that'd that'll the their theirs them themselves then
    there these they they'd they'll they're they've this those through to too under until up upon us very was
    wasn't we we'd we'll we're we've were weren't what when where whether which while who who'd who'll whom whose
    why will with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
    """.split()
)
"""English words that name no subject: articles, pronouns, prepositions, auxiliaries, question words. Number words
and quantities (two, many, long, every) stay terms, and so does may, which is also a month."""

STOPWORDS_OF: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    **{
        language: frozenset(map(normalize_text, _WRITTEN[language].split())) if language in _WRITTEN else STOPWORDS
        for language in LANGUAGES
    },
}
"""Stopwords by language, as the tokenizer leaves them. Languages without a list of their own (scripts without spaces,
Korean) have the English one: it meets the English words in such notes. `none` has none."""

TOLD_BY_WORDS = ("english", *_WRITTEN)
"""Languages with a list of their own."""
