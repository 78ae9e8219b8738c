"""What players may say to each other without a chat: the words that there are, and how what they show is told."""

SAYINGS = (
    "look", "careful", "help", "hurry", "wait", "go_there", "i_go", "bring_it", "have_one", "what_now", "agree",
    "disagree", "thanks", "sorry", "well_done", "cheers",
)  # fmt: skip

EN = {
    "look": "Look at this!",
    "careful": "Careful!",
    "help": "I need help.",
    "hurry": "This is urgent.",
    "wait": "Wait, please.",
    "go_there": "Could you see to this?",
    "i_go": "I’ll see to this.",
    "bring_it": "I could do with this.",
    "have_one": "I have this.",
    "what_now": "What do you think?",
    "agree": "Good idea!",
    "disagree": "Better not.",
    "thanks": "Thank you!",
    "sorry": "Sorry!",
    "well_done": "Well done!",
    "cheers": "Cheers!",
}
DE = {
    "look": "Schaut mal!",
    "careful": "Vorsicht!",
    "help": "Ich brauche Hilfe.",
    "hurry": "Das eilt.",
    "wait": "Bitte warten.",
    "go_there": "Kümmerst du dich darum?",
    "i_go": "Ich kümmere mich darum.",
    "bring_it": "Das könnte ich brauchen.",
    "have_one": "Das habe ich.",
    "what_now": "Was meint ihr?",
    "agree": "Gute Idee!",
    "disagree": "Lieber nicht.",
    "thanks": "Danke!",
    "sorry": "Entschuldigung!",
    "well_done": "Gut gemacht!",
    "cheers": "Prost!",
}
RU = {
    "look": "Смотрите!",
    "careful": "Осторожно!",
    "help": "Мне нужна помощь.",
    "hurry": "Это срочно.",
    "wait": "Подождите.",
    "go_there": "Займёшься этим?",
    "i_go": "Я этим займусь.",
    "bring_it": "Мне бы это пригодилось.",
    "have_one": "У меня это есть.",
    "what_now": "Что думаете?",
    "agree": "Хорошая мысль!",
    "disagree": "Лучше не надо.",
    "thanks": "Спасибо!",
    "sorry": "Простите!",
    "well_done": "Отлично сделано!",
    "cheers": "Ваше здоровье!",
}

# How what somebody shows is told; `moves` and `target` are named as elsewhere.
EN_PHRASES = {
    "hatch": "Hatch {hatch}",
    "shows_plan": "{seat} would do this: {moves}.",
    "points_at": "{seat} points at “{target}”.",
    "says": "{seat} says: “{words}”",
    "shows_nothing": "{seat} takes that back.",
}
DE_PHRASES = {
    "hatch": "Luke {hatch}",
    "shows_plan": "{seat} würde Folgendes tun: {moves}.",
    "points_at": "{seat} zeigt auf „{target}“.",
    "says": "{seat} sagt: „{words}“",
    "shows_nothing": "{seat} nimmt das zurück.",
}
RU_PHRASES = {
    "hatch": "Люк {hatch}",
    "shows_plan": "{seat} предлагает свой ход: {moves}.",
    "points_at": "{seat} указывает: «{target}».",
    "says": "{seat} говорит: «{words}»",
    "shows_nothing": "{seat} забирает предложение назад.",
}
