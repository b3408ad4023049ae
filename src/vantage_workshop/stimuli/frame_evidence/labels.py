"""What the objects of the scenes are: labels by setting, colours, and names that are unique in a scene.

Section 5 counts 960 occurrences of labels over the groups (three a group), 374 of them of the ten most frequent labels and the rest of
116 others. Our reading: the three objects of a group's inventory. Labels are dealt out so that these figures hold.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable

from vantage.errors import InputError
from vantage_workshop.stimuli.frame_evidence.places import Place

COLOURS = {
    "red": "红色", "blue": "蓝色", "green": "绿色", "yellow": "黄色", "black": "黑色",
    "white": "白色", "gray": "灰色", "brown": "棕色", "purple": "紫色", "orange": "橙色",
}  # fmt: skip

# English/Chinese. A label ending in ^ has a front. One beginning with * wears its colour on a ribbon. The first labels, up to the bar, are
# the most frequent ones.
_LABELS = {
    "tabletop": (
        "mug/马克杯 keyboard/键盘^ toy_car/玩具车^ | bowl/碗 plate/盘子 bottle/瓶子 vase/花瓶 candle/蜡烛 "
        "apple-shaped_box/苹果形盒子 ball/小球 notebook/笔记本 eraser/橡皮 pencil_case/笔袋 tape_roll/胶带卷 "
        "jar/罐子 cube/方块 glass/玻璃杯 coaster/杯垫 teapot/茶壶^ camera/照相机^ monitor/显示器^ "
        "laptop/笔记本电脑^ desk_lamp/台灯^ calculator/计算器^ stapler/订书机^ alarm_clock/闹钟^ "
        "photo_frame/相框^ toy_bear/玩具熊^ toy_duck/玩具鸭^ toy_robot/玩具机器人^ toy_train/玩具火车^ "
        "toy_horse/玩具马^ speaker/音箱^ telephone/电话机^ radio/收音机^ microphone/麦克风^ desk_fan/小风扇^ "
        "headset_stand/耳机架^ doll/玩偶^ mouse/鼠标^ piggy_bank/存钱罐^ mirror/小镜子^"
    ),
    "indoor_large": (
        "chair/椅子^ sofa/沙发^ round_table/圆桌 | stool/凳子 waste_bin/垃圾桶 *potted_plant/盆栽 "
        "carpet_roll/地毯卷 floor_vase/落地花瓶 cushion/坐垫 barrel/木桶 crate/木箱 column/立柱 basket/篮子 "
        "umbrella_stand/伞架 floor_lamp/落地灯 pouf/圆墩 cardboard_box/纸箱 bookcase/书架^ wardrobe/衣柜^ "
        "piano/钢琴^ television/电视机^ refrigerator/冰箱^ vending_machine/自动售货机^ armchair/扶手椅^ bed/床^ "
        "desk/书桌^ printer/打印机^ washing_machine/洗衣机^ treadmill/跑步机^ cabinet/柜子^ "
        "ticket_machine/取票机^ information_screen/信息屏^ shopping_cart/购物车^ stroller/婴儿车^ "
        "wheelchair/轮椅^ mannequin/人体模特^ statue/雕像^ easel/画架^ lectern/讲台^ water_dispenser/饮水机^ "
        "shoe_rack/鞋架^ luggage_trolley/行李推车^"
    ),
    "outdoor_public": (
        "car/汽车^ bench/长椅^ bicycle/自行车^ *tree/树 | *bush/灌木 *rock/石头 fountain/喷泉 litter_bin/果皮箱 "
        "fire_hydrant/消防栓 street_lamp/路灯 flower_bed/花坛 bollard/石墩 traffic_cone/路锥 parasol/遮阳伞 "
        "flagpole/旗杆 tent/帐篷 water_barrel/水桶 stone_table/石桌 manhole_marker/井盖标 pavilion/亭子 "
        "motorcycle/摩托车^ bus/公交车^ truck/卡车^ scooter/滑板车^ taxi/出租车^ tricycle/三轮车^ mailbox/邮筒^ "
        "phone_booth/电话亭^ newsstand/报刊亭^ food_cart/小吃车^ stone_lion/石狮^ bronze_statue/铜像^ "
        "signpost/指示牌^ slide/滑梯^ swing/秋千^ sentry_box/岗亭^ charging_post/充电桩^ "
        "shared_bike_rack/共享单车架^ ticket_booth/售票亭^ snack_kiosk/小卖部^ sightseeing_cart/观光车^ "
        "wheelbarrow/手推车^"
    ),
}
_FIXTURES = {
    "tabletop": (
        "window/窗户^ whiteboard/白板^ door/房门^ wall_clock/挂钟^ socket_panel/插座板^ bulletin_board/公告板^"
    ),
    "indoor_large": (
        "main_door/大门^ window/窗户^ lift/电梯门^ reception_desk/服务台^ notice_board/告示栏^ escalator/自动扶梯口^"
    ),
    "outdoor_public": (
        "building_entrance/大楼入口^ gate/院门^ shopfront/店面^ bus_shelter/公交站亭^ billboard/广告牌^ "
        "stairway/台阶口^"
    ),
}

TOP, TOP_OCCURRENCES = 10, 374
"""The ten most frequent labels and how often they occur in the 960 (Section 5)."""

_TOP_SHARE = {"tabletop": 112, "indoor_large": 112, "outdoor_public": 150}


class Label:
    """A sort of thing: its English and Chinese word, whether it has a front, and whether it wears its colour."""

    def __init__(self, entry: str):
        en, zh = entry.strip("*^").split("/")
        self.en, self.zh = en.replace("_", " "), zh
        self.front, self.ribbon = entry.endswith("^"), entry.startswith("*")

    def name(self, colour: str) -> tuple[str, str]:
        """Its name in Chinese and English, in a colour."""
        if self.ribbon:
            return f"系着{COLOURS[colour]}丝带的{self.zh}", f"{self.en} with a {colour} ribbon"
        return f"{COLOURS[colour]}的{self.zh}", f"{colour} {self.en}"


def labels(setting: str) -> tuple[list[Label], list[Label]]:
    """The most frequent labels of a setting, and the others."""
    top, others = _LABELS[setting].split(" | ")
    return [Label(entry) for entry in top.split()], [Label(entry) for entry in others.split()]


def name_things(places: Iterable[Place], named: Counter[str], draw: random.Random) -> dict[str, tuple[str, str, str]]:
    """English label, Chinese name and English name of every object; `named` counts how often groups name it.

    Raises `InputError` where no dealing out of labels meets the printed figures.
    """
    by_setting = defaultdict(list)
    for place in places:
        by_setting[place.setting].append(place)
    chosen: dict[str, Label] = {}
    for setting, some in sorted(by_setting.items()):
        chosen |= _deal_until(setting, some, named, draw)
    names = {}
    for place in (place for some in by_setting.values() for place in some):
        colours = defaultdict(lambda: draw.sample(list(COLOURS), len(COLOURS)))
        for thing in place.things:
            label = chosen[thing]
            names[thing] = (label.en, *label.name(colours[label.en].pop()))
    return names


def _deal_until(setting: str, places: list[Place], named: Counter[str], draw: random.Random) -> dict[str, Label]:
    """A label for each object of a setting, dealt out anew until the figures hold."""
    for _ in range(99):
        try:
            return _deal(setting, places, named, draw)
        except InputError:
            continue
    return _deal(setting, places, named, draw)


def _deal(setting: str, places: list[Place], named: Counter[str], draw: random.Random) -> dict[str, Label]:
    """A label for each object of a setting."""
    top, others = labels(setting)
    of_scene = {thing: place.scene for place in places for thing in place.things}
    fronts = {thing: known.heading is not None for place in places for thing, known in place.things.items()}
    fixtures = sorted(thing for place in places for thing in place.fixtures)
    movable = sorted(of_scene.keys() - set(fixtures))
    rooms = Counter()  # a label occurs in a scene at most as often as there are colours
    chosen: dict[str, Label] = {}

    def give(thing: str, label: Label) -> None:
        chosen[thing] = label
        rooms[of_scene[thing], label.en] += 1

    def free(thing: str, some: list[Label]) -> list[Label]:
        return [x for x in some if x.front == fronts[thing] and rooms[of_scene[thing], x.en] < len(COLOURS)]

    asked = sorted((thing for thing in movable if named[thing]), key=lambda thing: draw.random())
    counts = Counter()
    for thing in _subset(asked, named, fronts, _TOP_SHARE[setting], top):
        label = min(free(thing, top), key=lambda x: counts[x.en])
        give(thing, label)
        counts[label.en] += named[thing]
    # Others by falling weight, the first ones more often.
    weights = {x.en: 1 / (at + 12) for at, x in enumerate(sorted(others, key=lambda _: draw.random()))}
    for thing in sorted((t for t in asked if t not in chosen), key=lambda t: -named[t]):
        label = min(free(thing, others), key=lambda x: (counts[x.en] + named[thing]) / weights[x.en])
        give(thing, label)
        counts[label.en] += named[thing]
    rare, frequent = min(counts[x.en] for x in top), max(counts[x.en] for x in others)
    if not all(counts[x.en] for x in others) or frequent >= rare:
        raise InputError(f"expected every label of {setting} to be named, the first ones most often; change the seed")
    for thing in movable:
        if thing not in chosen:
            give(thing, draw.choice(free(thing, top + others)))
    kinds = [Label(entry) for entry in _FIXTURES[setting].split()]
    for thing in fixtures:
        give(thing, min(free(thing, kinds), key=lambda x: (rooms[of_scene[thing], x.en], draw.random())))
    return chosen


def _subset(asked: list[str], named: Counter[str], fronts: dict[str, bool], total: int, top: list[Label]) -> list[str]:
    """Objects that are named `total` times in all, with fronts in the proportion of the labels for them."""
    quota = {front: total * sum(x.front == front for x in top) / len(top) for front in (True, False)}
    taken, left = [], total
    for thing in asked:
        if named[thing] <= left - 6 and named[thing] <= quota[fronts[thing]]:
            taken.append(thing)
            quota[fronts[thing]] -= named[thing]
            left -= named[thing]
    for thing in asked:
        if thing not in taken and named[thing] <= left:
            taken.append(thing)
            left -= named[thing]
    if left:
        raise InputError(f"expected objects that are named {total} times in all, found {total - left}; change the seed")
    return taken
